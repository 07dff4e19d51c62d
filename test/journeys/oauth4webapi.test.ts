import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import type { PublicJwk } from '../../shared/ports/directory.ts';
import { storeClient, storeCode } from '../support/authorized.ts';
import { BrowserJar } from '../support/browser-jar.ts';
import { createUser, newEmail } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

/** oauth4webapi, step by step, with each of its checks; only plain HTTP, which the local server speaks, is allowed. */

let world: World;
let as: oauth.AuthorizationServer;
let redirect_uri: string;
const insecure = { [oauth.allowInsecureRequests]: true };

beforeAll(async () => {
  world = await startWorld({ rateLimits: 'off' });
  redirect_uri = world.environment.redirect_uris[0] ?? '';
  const issuer = new URL(world.environment.issuer);
  const found = await oauth.discoveryRequest(issuer, insecure);
  as = await oauth.processDiscoveryResponse(issuer, found);
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

interface Registered {
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
}

async function withSecret(): Promise<Registered> {
  const { clientId, clientSecret } = await storeClient(world);
  return { client: { client_id: clientId }, auth: oauth.ClientSecretBasic(clientSecret) };
}

async function withKey(alg: string): Promise<Registered> {
  const { privateKey, publicKey } = await oauth.generateKeyPair(alg, { extractable: true });
  const jwk = (await crypto.subtle.exportKey('jwk', publicKey)) as PublicJwk;
  const { alg: _, ...key } = jwk;
  const { clientId } = await storeClient(world, {
    authMethod: 'private_key_jwt',
    secrets: [],
    jwks: { keys: [key as PublicJwk] },
    strictAudience: true,
  });
  return { client: { client_id: clientId }, auth: oauth.PrivateKeyJwt(privateKey) };
}

/** What a login leaves in the address of the callback. */
async function callbackOf({ client }: Registered) {
  const verifier = oauth.generateRandomCodeVerifier();
  const [nonce, state] = [oauth.generateRandomNonce(), oauth.generateRandomState()];
  const { user_id: userId } = await createUser(world, { email: newEmail() });
  const { code } = await storeCode(world, userId, {
    clientId: client.client_id,
    codeChallenge: await oauth.calculatePKCECodeChallenge(verifier),
    nonce,
  });
  const answer = new URLSearchParams({ code, state, iss: world.environment.issuer });
  const parameters = oauth.validateAuthResponse(as, client, answer, state);
  return { userId, parameters, verifier, nonce };
}

async function tokensOf(registered: Registered, options: { readonly DPoP?: oauth.DPoPHandle } = {}) {
  const { client, auth } = registered;
  const { userId, parameters, verifier, nonce } = await callbackOf(registered);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    parameters,
    redirect_uri,
    verifier,
    { ...insecure, ...options },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    maxAge: 60,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  return { userId, tokens, claims: oauth.getValidatedIdTokenClaims(tokens) };
}

test('N040 N041 metadata is found as OpenID Connect and as OAuth lay it out', async () => {
  expect(as.issuer).toBe(world.environment.issuer);
  const issuer = new URL(world.environment.issuer);
  const inserted = `${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`;
  const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  expect(found.url).toBe(inserted);
  expect(await oauth.processDiscoveryResponse(issuer, found)).toEqual(as);
});

describe.each<[string, () => Promise<Registered>]>([
  ['a secret', withSecret],
  ...['ES256', 'RS256', 'PS256', 'Ed25519'].map(
    (alg) => [`private_key_jwt by ${alg}`, () => withKey(alg)] as [string, () => Promise<Registered>],
  ),
])('a client with %s', (_title, register) => {
  test('exchanges a code, refreshes, and gets a token of its own', async () => {
    const registered = await register();
    const { client, auth } = registered;
    const { userId, tokens, claims } = await tokensOf(registered);
    expect(claims?.sub).toBe(userId);

    const asked = await oauth.refreshTokenGrantRequest(
      as,
      client,
      auth,
      tokens.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth.processRefreshTokenResponse(as, client, asked);
    await oauth.validateApplicationLevelSignature(as, asked, insecure);
    expect(oauth.getValidatedIdTokenClaims(refreshed)?.sub).toBe(userId);

    const own = await oauth.clientCredentialsGrantRequest(as, client, auth, {}, insecure);
    expect((await oauth.processClientCredentialsResponse(as, client, own)).token_type).toBe('bearer');
  });
});

test('a resource server takes our access tokens for what RFC 9068 says they are', async () => {
  const { tokens } = await tokensOf(await withSecret());
  const request = new Request('https://api.example.com/', {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(as, request, world.environment.issuer, insecure);
  expect(claims).toMatchObject({ scope: 'openid email phone offline_access' });
});

test('N095 and an ID token for nothing', async () => {
  const { tokens } = await tokensOf(await withSecret());
  const request = new Request('https://api.example.com/', {
    headers: { authorization: `Bearer ${tokens.id_token}` },
  });
  await expect(
    oauth.validateJwtAccessToken(as, request, world.environment.issuer, insecure),
  ).rejects.toThrow();
});

test('introspection, revocation and UserInfo', async () => {
  const registered = await withSecret();
  const { client, auth } = registered;
  const { userId, tokens } = await tokensOf(registered);
  const inspect = async () =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, auth, tokens.access_token, insecure),
    );
  expect(await inspect()).toMatchObject({ active: true, sub: userId, client_id: client.client_id });

  const shown = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  expect((await oauth.processUserInfoResponse(as, client, userId, shown)).sub).toBe(userId);

  const revoked = await oauth.revocationRequest(as, client, auth, tokens.access_token, insecure);
  await oauth.processRevocationResponse(revoked);
  expect(await inspect()).toEqual({ active: false });
  const refused = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  await expect(oauth.processUserInfoResponse(as, client, userId, refused)).rejects.toMatchObject({
    cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
  });
});

describe('DPoP', () => {
  test('binds tokens to the key, which every further call proves', async () => {
    const registered = await withSecret();
    const { client, auth } = registered;
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const { userId, tokens } = await tokensOf(registered, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const shown = await oauth.userInfoRequest(as, client, tokens.access_token, { ...insecure, DPoP });
    expect((await oauth.processUserInfoResponse(as, client, userId, shown)).sub).toBe(userId);

    const options = { ...insecure, DPoP };
    const asked = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? '', options);
    expect((await oauth.processRefreshTokenResponse(as, client, asked)).token_type).toBe('dpop');
  });

  test('a resource server can tell the key from the token', async () => {
    const registered = await withSecret();
    const keys = await oauth.generateKeyPair('ES256', { extractable: true });
    const DPoP = oauth.DPoP(registered.client, keys);
    const { tokens } = await tokensOf(registered, { DPoP });
    const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y }));
    const payload = Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(payload).cnf).toEqual({ jkt: thumbprint.digest('base64url') });
  });
});

test('a login in the browser by pushed request, with a key for a client and a key for its tokens', async () => {
  const registered = await withKey('ES256');
  const { client, auth } = registered;
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  const options = { ...insecure, DPoP };
  const email = newEmail();
  const { user_id } = await createUser(world, { email });
  const verifier = oauth.generateRandomCodeVerifier();
  const [nonce, state] = [oauth.generateRandomNonce(), oauth.generateRandomState()];
  const pushed = await oauth.pushedAuthorizationRequest(
    as,
    client,
    auth,
    {
      redirect_uri,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
      max_age: '300',
    },
    options,
  );
  const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
  const start = `${as.authorization_endpoint}?${new URLSearchParams({ client_id: client.client_id, request_uri })}`;
  const jar = new BrowserJar(new URL(world.environment.base_url).origin);
  const typing = await (await jar.open(start)).submit({ identifier: email, method: 'email' });
  const [mail] = await world.messages({ to: email });
  const { left } = await typing.submit({ passcode: mail?.codes[0] ?? '' });
  if (!left) throw new Error('the login did not lead back');

  const parameters = oauth.validateAuthResponse(as, client, left, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    parameters,
    redirect_uri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    maxAge: 300,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, insecure);
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user_id, email });
  expect(tokens.refresh_token).toBe(undefined);
});
