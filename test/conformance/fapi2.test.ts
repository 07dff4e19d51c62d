import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import * as client from 'openid-client';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { madeClient } from '../support/fixtures/managed.ts';
import {
  type CallerKey,
  computeChallenge,
  createVerifier,
  dpopProof,
  encode,
  newKey,
  signed,
} from '../support/fixtures/proofs.ts';
import { storeResource } from '../support/fixtures/tenants.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import { atOnce } from '../support/server/at-once.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { newUser, type Person, REDIRECT_URI, register } from './support.ts';

// Tests of the FAPI 2.0 Security Profile (Final). Comments name the matching modules of the OpenID Foundation's conformance
// suite, without the prefix `fapi2-security-profile-final-`. A FAPI client is registered with the setting `profile`.

const server = useTestServer({ rateLimits: 'off' });

type Fields = Readonly<Record<string, unknown>>;

interface Party {
  readonly clientId: string;
  /** Key that signs client assertions. */
  readonly key: CallerKey;
  /** Key that signs DPoP proofs. */
  readonly holder: CallerKey;
}

const now = () => Math.floor(Date.now() / 1000);
const verifier = createVerifier(64);

let appId: string;
let person: Person;
let [one, other]: Party[] = [];

async function newParty(alg: string, fields: Fields = {}): Promise<Party> {
  const key = newKey(alg);
  const jwks = { keys: [{ ...key.jwk, kid: 'one' }] };
  const given = { profile: 'fapi2', jwks, ...fields };
  const { client_id } = await madeClient(server, given, appId);
  return { clientId: client_id, key, holder: newKey() };
}

beforeAll(async () => {
  appId = (await register(server)).application.applicationId;
  person = await newUser(server);
  one = await newParty('PS256');
  other = await newParty('ES256');
});

function both(): readonly [Party, Party] {
  if (!one || !other) throw new Error('no clients');
  return [one, other];
}

const defined = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

function assertion({ clientId, key }: Party, claims: Fields = {}, by: CallerKey = key): Fields {
  const issued = { iat: now(), exp: now() + 60, jti: crypto.randomUUID() };
  const good = { iss: clientId, sub: clientId, aud: server.environment.issuer, ...issued };
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signed(by, { kid: 'one' }, defined({ ...good, ...claims })),
  };
}

const proof = (key: CallerKey, path: string, claims: Fields = {}) => ({
  dpop: dpopProof(key, { htm: 'POST', htu: `${server.environment.issuer}${path}`, iat: now(), ...claims }),
});

interface Pushed {
  readonly request_uri: string;
  readonly expires_in: number;
  readonly error?: string;
}

function push(party: Party, change: Fields = {}, headers: Record<string, string> = {}) {
  const parameters = {
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email offline_access',
    state: 'the-state',
    code_challenge: computeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const form = defined({ ...parameters, ...assertion(party), ...change });
  return server.form<Pushed>('/oidc/par', form, { headers });
}

const buildAuthorizationUrl = ({ clientId }: Party, request_uri: string) =>
  new URL(`${server.environment.issuer}/auth?${new URLSearchParams({ client_id: clientId, request_uri })}`);

/** Gets an authorization code for a client, in a person's browser. */
async function codeFor(party: Party, change: Fields = {}, headers = {}): Promise<string> {
  const { body } = await push(party, change, headers);
  const arrival = await person.authorize(buildAuthorizationUrl(party, body.request_uri));
  expect(arrival.searchParams.get('iss')).toBe(server.environment.issuer);
  return arrival.searchParams.get('code') ?? '';
}

function exchange(party: Party, code: string, change: Fields = {}, headers = proof(party.holder, '/token')) {
  const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  const form = defined({ ...grant, code_verifier: verifier, ...assertion(party), ...change });
  return server.form<TokenResponse & { readonly error: string }>('/oidc/token', form, { headers });
}

function refresh(
  party: Party,
  refresh_token: string,
  change: Fields = {},
  headers = proof(party.holder, '/token'),
) {
  const form = defined({ grant_type: 'refresh_token', refresh_token, ...assertion(party), ...change });
  return server.form<TokenResponse & { readonly error: string }>('/oidc/token', form, { headers });
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

async function userInfo(token: string, scheme: 'DPoP' | 'Bearer', by?: CallerKey) {
  const headers = by ? proof(by, '/me', { htm: 'GET', ath: hashToken(token) }) : {};
  return (await server.get('/oidc/me', { headers: { ...headers, authorization: `${scheme} ${token}` } }))
    .status;
}

// discovery-end-point-verification
test('the discovery document contains the metadata that FAPI 2.0 requires', async () => {
  const { body } = await server.get<Record<string, unknown>>('/oidc/.well-known/openid-configuration');
  expect(body).toMatchObject({
    pushed_authorization_request_endpoint: `${server.environment.issuer}/par`,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
    token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256', 'EdDSA']),
    dpop_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256', 'EdDSA']),
    id_token_signing_alg_values_supported: expect.arrayContaining(['PS256']),
  });
});

test('a FAPI client gets an ID token only if it requests the scope openid', async () => {
  const [party] = both();
  const { uri: resource } = await storeResource(server, { applicationId: appId });
  const scope = 'offline_access';
  const { status, body } = await exchange(party, await codeFor(party, { scope, resource }));
  expect([status, body.id_token]).toEqual([200, undefined]);
  expect(decodeClaims(body.access_token)).toMatchObject({ aud: resource, scope });
  const again = await refresh(party, body.refresh_token ?? '');
  expect([again.status, again.body.id_token]).toEqual([200, undefined]);
  expect((await push(party, { scope })).status).toBe(400);
});

test('openid-client completes the FAPI 2.0 flow', async () => {
  const [party] = both(); // happy-flow
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
  const key = party.key.privateKey.toCryptoKey(algorithm, false, ['sign']);
  const config = await client.discovery(
    new URL(server.environment.issuer),
    party.clientId,
    { id_token_signed_response_alg: 'PS256' },
    client.PrivateKeyJwt({ key, kid: 'one' }),
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );
  const options = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256')) };
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const address = await client.buildAuthorizationUrlWithPAR(
    config,
    {
      redirect_uri: REDIRECT_URI,
      scope: 'openid email offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    },
    options,
  );
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  const arrival = await person.authorize(address);
  const tokens = await client.authorizationCodeGrant(config, arrival, checks, undefined, options);
  const { access_token, refresh_token = '' } = tokens;
  expect(tokens).toMatchObject({ token_type: 'dpop' });
  expect(await client.fetchUserInfo(config, access_token, person.userId, options)).toBeDefined();
  for (const _ of [1, 2]) {
    const refreshed = await client.refreshTokenGrant(config, refresh_token, undefined, options);
    expect(refreshed.refresh_token).toBe(refresh_token);
  }
  expect((await client.clientCredentialsGrant(config, undefined, options)).token_type).toBe('dpop');
});

describe('FAPI 2.0 pushed authorization requests', () => {
  test.each<[string, Fields, string]>([
    [
      'par-ensure-pkce-required',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    [
      'par-plain-pkce-rejected',
      { code_challenge: verifier, code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['ensure-request-object-without-redirect-uri-fails', { redirect_uri: undefined }, 'invalid_request'],
    [
      'par-authorization-request-containing-request_uri-form-param',
      { request_uri: 'urn:x' },
      'invalid_request',
    ],
    ['ensure-response-type-token-fails', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'ensure-response-type-code-idtoken-fails',
      { response_type: 'code id_token' },
      'unsupported_response_type',
    ],
  ])('a pushed authorization request that violates FAPI 2.0 is rejected: %s', async (_, change, error) => {
    expect(await push(both()[0], change)).toMatchObject({ status: 400, body: { error } });
  });

  test('a pushed authorization request is rejected if its client assertion is invalid', async () => {
    const [party] = both(); // ensure-invalid-client-assertions-fail
    const { issuer } = server.environment;
    const unsigned = `${encode({ alg: 'none' })}.${encode({ iss: party.clientId, sub: party.clientId, aud: issuer, exp: now() + 60, jti: 'j' })}.`;
    const bad: readonly Fields[] = [
      { client_id: party.clientId },
      { ...assertion(party), client_assertion_type: undefined },
      { ...assertion(party), client_assertion_type: 'urn:wrong' },
      assertion(party, { sub: undefined }),
      assertion(party, { iss: 'wrong' }),
      assertion(party, { aud: undefined }),
      assertion(party, { aud: `${issuer}/par` }),
      assertion(party, { aud: `${issuer}/token` }),
      assertion(party, { aud: [issuer, `${issuer}/token`] }),
      assertion(party, { exp: now() - 300 }),
      assertion(party, { iat: now() + 75, nbf: now() + 75, exp: now() + 120 }),
      // ensure-signed-client-assertion-with-RS256-fails
      assertion(party, {}, { ...party.key, alg: 'RS256' }),
      assertion(party, {}, newKey('ES256')),
      { ...assertion(party), client_assertion: unsigned },
    ];
    const blank = { client_id: undefined, client_assertion: undefined, client_assertion_type: undefined };
    for (const fields of bad) {
      const { status, body } = await push(party, { ...blank, ...fields });
      expect({ fields, status, error: body.error }).toEqual({
        fields,
        ...(status === 400 ? { status, error: 'invalid_request' } : { status: 401, error: 'invalid_client' }),
      });
    }
    const early = assertion(party, { iat: now() + 8, nbf: now() + 8 });
    expect(await push(party, early)).toMatchObject({ status: 201 });
  });

  test('a request_uri is valid for one login and only for the client that pushed the request', async () => {
    const [party, stranger] = both(); // par-attempt-to-use-request_uri-for-different-client, par-attempt-reuse-request_uri
    const { status, body } = await push(party);
    expect(status).toBe(201);
    expect(body.expires_in).toBeLessThan(600);
    expect(await person.jar.open(buildAuthorizationUrl(stranger, body.request_uri).href)).toMatchObject({
      status: 400,
    });
    await person.authorize(buildAuthorizationUrl(party, body.request_uri));
    expect(await person.jar.open(buildAuthorizationUrl(party, body.request_uri).href)).toMatchObject({
      status: 400,
    });
  });

  test('a browser can open a request_uri again until the user has logged in', async () => {
    const [party] = both(); // par-ensure-reused-request-uri-prior-to-auth-completion-succeeds
    const { body } = await push(party);
    const fresh = await newUser(server);
    const address = buildAuthorizationUrl(party, body.request_uri);
    expect(await fresh.jar.open(address.href)).toMatchObject({ status: 200, left: undefined });
    expect((await fresh.authorize(address)).searchParams.get('code')).toBeTruthy();
  });

  test('a FAPI client must push its authorization requests', async () => {
    const { clientId: client_id } = both()[0]; // ensure-unsigned-authorization-request-without-using-par-fails
    const parameters = { client_id, response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' };
    const pkce = { code_challenge: computeChallenge(verifier), code_challenge_method: 'S256' };
    const query = new URLSearchParams({ ...parameters, ...pkce });
    const answer = await person.authorize(new URL(`${server.environment.issuer}/auth?${query}`));
    expect(answer.searchParams.get('error')).toBe('invalid_request');
    expect(answer.searchParams.get('iss')).toBe(server.environment.issuer);
  });

  test('a FAPI client cannot use an emailed link to bypass pushed authorization requests', async () => {
    const [party] = both();
    const grant = defined({ grant_type: 'client_credentials', ...assertion(party) });
    const path = '/v1/auth/links/email';
    const { body } = await server.form<TokenResponse>('/oidc/token', grant, {
      headers: proof(party.holder, '/token'),
    });
    const { access_token: token } = body;
    const htu = `${server.environment.base_url}${path}`;
    const dpop = dpopProof(party.holder, { htm: 'POST', htu, iat: now(), ath: hashToken(token) });
    const link = { redirect_uri: REDIRECT_URI, email: person.email };
    const headers = { authorization: `DPoP ${token}`, dpop };
    expect(await server.post(path, link, { headers })).toMatchObject({ status: 400 });
  });
});

describe('FAPI 2.0 authorization codes', () => {
  // incorrect-pkce-code-verifier-rejected, ensure-pkce-code-verifier-required, ensure-holder-of-key-required,
  // ensure-authorization-code-is-bound-to-client
  test('an authorization code is accepted only once and only with the right client, PKCE verifier and DPoP key', async () => {
    const [party, stranger] = both();
    const code = await codeFor(party);
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await exchange(party, code, { code_verifier: createVerifier(65) })).toMatchObject(refused);
    expect(await exchange(party, code, { code_verifier: undefined })).toMatchObject(refused);
    expect(await exchange(stranger, code)).toMatchObject(refused);
    const headers = {} as ReturnType<typeof proof>;
    expect(await exchange(party, code, {}, headers)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    // dpop-negative-tests: an algorithm that the profile forbids
    const weak = { ...party.key, alg: 'RS256' };
    expect(await exchange(party, code, {}, proof(weak, '/token'))).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
    const { status, body } = await exchange(party, code, {}, proof(party.key, '/token'));
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    expect(await userInfo(body.access_token, 'DPoP', weak)).toBe(401);
    expect(await userInfo(body.access_token, 'DPoP', party.key)).toBe(200);
    // attempt-reuse-authorization-code-after-one-second
    await server.advanceClock(1);
    expect(await exchange(party, code)).toMatchObject(refused);
  });

  // ensure-mismatched-dpop-jkt-fails, ensure-dpop-auth-code-binding-success,
  // ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt
  test('an authorization code is bound to the DPoP key of the pushed request', async () => {
    const [party] = both();
    const dpop_jkt = await calculateJwkThumbprint(party.holder.jwk);
    expect(await push(party, { dpop_jkt }, proof(newKey(), '/par'))).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
    const code = await codeFor(party, { dpop_jkt }, proof(party.holder, '/par'));
    expect(await exchange(party, code, {}, proof(newKey(), '/token'))).toMatchObject({ status: 400 });
    // check-dpop-proof-nbf-exp, ensure-dpopproof-with-iat-10seconds-before-succeeds
    const claims = { iat: now() - 10, nbf: now(), exp: now() + 300 };
    const { status, body } = await exchange(party, code, {}, proof(party.holder, '/token', claims));
    expect(status).toBe(200);
    expect(decodeClaims(body.access_token)).toMatchObject({ cnf: { jkt: dpop_jkt } });
    expect(await userInfo(body.access_token, 'DPoP', party.holder)).toBe(200);
    expect(await userInfo(body.access_token, 'DPoP', newKey())).toBe(401);
    expect(await userInfo(body.access_token, 'Bearer')).toBe(401);
  });
});

test("a FAPI client's refresh token is bound to the client and is not rotated", async () => {
  const [party, stranger] = both(); // refresh-token
  const { body } = await exchange(party, await codeFor(party));
  const token = body.refresh_token;
  const answers = await atOnce(20, () => refresh(party, token));
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.refresh_token}`))).toEqual(
    new Set([`200 ${token}`]),
  );
  await server.advanceClock(86_400);
  const refreshed = await refresh(party, token);
  expect(refreshed).toMatchObject({ status: 200, body: { refresh_token: token, token_type: 'DPoP' } });
  expect(await userInfo(refreshed.body.access_token, 'DPoP', party.holder)).toBe(200);
  const unproven = { client_assertion: undefined, client_assertion_type: undefined };
  expect(await refresh(party, token, unproven)).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  const headers = {} as ReturnType<typeof proof>;
  expect(await refresh(party, token, {}, headers)).toMatchObject({ body: { error: 'invalid_request' } });
  expect(await refresh(stranger, token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await refresh(party, token)).status).toBe(200);
});

test('an expired authorization code and an expired request_uri are rejected', async () => {
  const [party] = both(); // par-attempt-to-use-expired-request_uri, ensure-token-endpoint-fails-with-expired-auth-code
  const [code, { body }] = [await codeFor(party), await push(party)];
  await server.advanceClock(61);
  expect(await exchange(party, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await person.jar.open(buildAuthorizationUrl(party, body.request_uri).href)).toMatchObject({
    status: 400,
  });
});
