// The attacker has an ID token from the previous issuer (the system that users migrate from), or a client of an application
// that exchanges such ID tokens for sessions.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { base64url, type CryptoKey, exportSPKI, generateKeyPair, importJWK } from 'jose';
import {
  createUser,
  deleteOwnAccount,
  guessWrong,
  newEmail,
  useUpTries,
} from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { logInBy, tokensBy } from '../support/fixtures/tokens.ts';
import { AUDIENCE, movingTo, useFormerIssuer } from '../support/providers/former-issuer.ts';
import { atOnce } from '../support/server/at-once.ts';
import { otlAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { demoManager, expectOAuthError, storeClient } from '../support/tools/authorized.ts';

const former = useFormerIssuer();
const server = useTestServer({ rateLimits: 'off' });
const moving = () => movingTo(server, former);
const now = () => Math.floor(Date.now() / 1000);
const invalid = (answer: Awaited<ReturnType<ReturnType<typeof moving>['exchange']>>) =>
  expectOAuthError(answer, 400, 'invalid_request');

beforeAll(async () => {
  expect((await moving().takeSessions()).code).toBe(0);
});

describe('ID token from the previous issuer with invalid claims', () => {
  let subject: string;
  beforeAll(async () => {
    subject = (await moving().importUser()).subject;
  });
  // Checks that a valid token of the same user is accepted, so the other tokens were rejected because of their claims.
  afterAll(async () => {
    expect((await moving().exchange(await former.sign({ sub: subject }))).status).toBe(200);
  });

  test.each<[string, () => object]>([
    ['for another audience', () => ({ aud: 'another shop' })],
    [
      'with a second audience in addition to the expected audience',
      () => ({ aud: [AUDIENCE, 'another shop'] }),
    ],
    ['without an audience', () => ({ aud: undefined })],
    ['with another `iss`', () => ({ iss: 'https://other.example' })],
    ['without `iss`', () => ({ iss: undefined })],
    ['that has expired', () => ({ exp: now() - 1 })],
    ['without an expiry', () => ({ exp: undefined })],
    ['issued more than 10 minutes ago', () => ({ iat: now() - 605 })],
    ['without an issue time', () => ({ iat: undefined })],
    ['issued in the future', () => ({ iat: now() + 120 })],
    ['that is not valid yet', () => ({ nbf: now() + 120 })],
  ])('an ID token from the previous issuer %s is rejected', async (_title, claims) => {
    invalid(await moving().exchange(await former.sign({ sub: subject, ...claims() })));
  });

  test.each([['at+jwt'], ['logout+jwt'], ['dpop+jwt']])(
    'an ID token from the previous issuer with the type %s is rejected',
    async (typ) => {
      invalid(await moving().exchange(await former.sign({ sub: subject }, { typ })));
    },
  );

  test('an ID token from the previous issuer is rejected if its subject is missing or is not a string', async () => {
    invalid(await moving().exchange(await former.sign({})));
    invalid(await moving().exchange(await former.sign({ sub: 7 as never })));
    invalid(await moving().exchange('no token'));
  });
});

describe('ID token from the previous issuer with a forged signature', () => {
  let subject: string;
  beforeAll(async () => {
    subject = (await moving().importUser()).subject;
  });

  test('an ID token signed by an unknown key is rejected even if it names a key of the previous issuer', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    invalid(await moving().exchange(await former.sign({ sub: subject }, {}, privateKey)));
  });

  test("an ID token is rejected if it is signed by a key that the token's own header contains", async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await crypto.subtle.exportKey('jwk', publicKey);
    const header = { jwk, jku: `${former.issuer}/mine`, kid: 'mine' };
    invalid(await moving().exchange(await former.sign({ sub: subject }, header, privateKey)));
  });

  test('an unsigned ID token is rejected, whether its algorithm is spelled "none", "None" or "NONE"', async () => {
    const [, payload] = (await former.sign({ sub: subject })).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = base64url.encode(JSON.stringify({ alg, kid: 'one', typ: 'JWT' }));
      invalid(await moving().exchange(`${header}.${payload}.`));
    }
  });

  test("an ID token is rejected if it is signed by HMAC with the previous issuer's public key as the secret", async () => {
    const key = (await importJWK(former.publicJwk, 'RS256', { extractable: true })) as CryptoKey;
    const [, payload] = (await former.sign({ sub: subject })).split('.');
    const header = base64url.encode(JSON.stringify({ alg: 'HS256', kid: 'one', typ: 'JWT' }));
    for (const secret of [await exportSPKI(key), JSON.stringify(former.publicJwk)]) {
      const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
      invalid(await moving().exchange(`${header}.${payload}.${signature}`));
    }
  });

  test('an ID token is rejected if its algorithm does not match its signing key', async () => {
    const other = await generateKeyPair('PS256', { extractable: true });
    const jwk = await crypto.subtle.exportKey('jwk', other.publicKey);
    former.answer.keys = { keys: [former.publicJwk, { ...jwk, kid: 'other', alg: 'PS256', use: 'sig' }] };
    await server.advanceClock(31);
    const header = { alg: 'PS256', kid: 'one' };
    invalid(await moving().exchange(await former.sign({ sub: subject }, header, other.privateKey)));
    invalid(await moving().exchange(await former.sign({ sub: subject }, { kid: 'other' })));
    const own = { alg: 'PS256', kid: 'other' };
    expect((await moving().exchange(await former.sign({ sub: subject }, own, other.privateKey))).status).toBe(
      200,
    );
    former.answer.keys = { keys: [former.publicJwk] };
  });

  test('an ID token that this service has issued is rejected as an ID token of the previous issuer', async () => {
    const { email } = await moving().importUser();
    const { id_token } = await tokensBy(server, 'email', email);
    invalid(await moving().exchange(id_token));
  });

  test("repeated tokens with unknown key IDs do not cause repeated requests for the previous issuer's keys", async () => {
    const token = await former.sign({ sub: subject }, { kid: 'unknown' });
    await server.advanceClock(31);
    const before = former.answer.fetched;
    for (let tries = 0; tries < 5; tries += 1) invalid(await moving().exchange(token));
    expect(former.answer.fetched - before).toBeLessThanOrEqual(1);
  });
});

describe('exchange of a valid ID token from the previous issuer', () => {
  test('if 20 ID tokens of one user are exchanged concurrently for sessions, only one exchange succeeds', async () => {
    const { subject } = await moving().importUser();
    const tokens = await Promise.all([
      former.sign({ sub: subject }),
      former.sign({ sub: subject, nonce: 'n' }),
    ]);
    const answers = await atOnce(20, (index) => moving().exchange(tokens[index % 2] ?? ''));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) invalid(answer);
    await server.advanceClock(3600);
    invalid(await moving().exchange(await former.sign({ sub: subject })));
  });

  test('an ID token from the previous issuer is rejected once the user has logged in to this service', async () => {
    const { subject, email } = await moving().importUser();
    expect((await logInBy(server, 'email', email)).status).toBe(200);
    invalid(await moving().exchange(await former.sign({ sub: subject })));
  });

  test('an ID token from the previous issuer is rejected for a user who has an administrative role', async () => {
    const { json } = otlAt(server);
    const [one, other] = [await moving().importUser(), await moving().importUser()];
    await json('user', 'update', one.userId, '--role', 'support');
    const { org_id } = await json<{ org_id: string }>('organization', 'create', '--name', 'Ours');
    await json('member', 'create', '--org', org_id, '--user', other.userId, '--role', 'organizationAdmin');
    for (const { subject } of [one, other])
      invalid(await moving().exchange(await former.sign({ sub: subject })));
  });

  test('an ID token from the previous issuer is rejected for a user who is suspended or pending erasure', async () => {
    const blocked = await moving().importUser({ status: 'Disabled' });
    invalid(await moving().exchange(await former.sign({ sub: blocked.subject })));
    const { json } = otlAt(server);
    const suspended = await moving().importUser();
    await json('user', 'update', suspended.userId, '--status', 'Disabled');
    invalid(await moving().exchange(await former.sign({ sub: suspended.subject })));
    const leaving = await moving().importUser();
    await deleteOwnAccount(server, leaving.userId, now());
    invalid(await moving().exchange(await former.sign({ sub: leaving.subject })));
  });

  test('an ID token from the previous issuer is rejected while the user is locked out after wrong codes', async () => {
    const { subject, email } = await moving().importUser();
    const token = await server.clientToken();
    const who = { identifier_type: 'email', identifier: email };
    await server.post('/v1/auth/otp/send', { channel: 'email', ...who }, { token });
    await useUpTries((passcode) => server.post('/v1/auth/otp/authenticate', { passcode, ...who }, { token }));
    invalid(await moving().exchange(await former.sign({ sub: subject })));
    await server.advanceClock(16 * 60);
    expect((await moving().exchange(await former.sign({ sub: subject }))).status).toBe(200);
  });

  test("an ID token from the previous issuer is rejected after 100 failed attempts have disabled the user's codes", async () => {
    const { subject, userId } = await moving().importUser();
    await guessWrong(server, userId, 100);
    invalid(await moving().exchange(await former.sign({ sub: subject })));
  });
});

describe('matching an ID token from the previous issuer to a user', () => {
  test('an ID token from the previous issuer does not match a user by an external ID that a client has set', async () => {
    const external_user_id = 'old-of-a-client';
    await createUser(server, { email: newEmail(), external_user_id });
    invalid(await moving().exchange(await former.sign({ sub: external_user_id })));

    const [victim, own] = [await moving().importUser(), await moving().importUser()];
    const token = await server.clientToken();
    const name = async (userId: string, value: string) =>
      (await server.put(`/v1/users/${userId}`, { external_user_id: value }, { token })).status;
    expect(await name(own.userId, 'something-else')).toBe(200);
    expect(await name(victim.userId, own.subject)).toBe(200);
    for (const subject of [own.subject, victim.subject])
      invalid(await moving().exchange(await former.sign({ sub: subject })));
    // The client cannot make the token match again by setting the original external ID.
    expect(await name(victim.userId, victim.subject)).toBe(200);
    invalid(await moving().exchange(await former.sign({ sub: victim.subject })));
  });

  test('an ID token from the previous issuer does not match a user by email address, phone number or user ID', async () => {
    const { email, userId } = await moving().importUser();
    for (const sub of [email, userId]) invalid(await moving().exchange(await former.sign({ sub })));
    const external_user_id = 'old-untrusted';
    const row = JSON.stringify({ email: newEmail(), external_user_id });
    const args = ['user', 'import', '-', '--application', server.environment.app_id];
    expect((await otlWith({ OTL_ENDPOINT: server.url }, args, row)).code).toBe(0);
    invalid(await moving().exchange(await former.sign({ sub: external_user_id })));
  });

  test('an ID token from the previous issuer does not match a user of another application', async () => {
    const side = await storeApplication(server);
    const { applicationId } = side.application;
    expect((await moving().takeSessions([], applicationId)).code).toBe(0);
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    invalid(await moving().exchange(token, {}, side));
    expect((await moving().exchange(token)).status).toBe(200);
  });
});

describe('clients that may exchange ID tokens from the previous issuer', () => {
  test('public clients and management clients cannot exchange an ID token from the previous issuer', async () => {
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    const open = await storeClient(server, { authMethod: 'none', secrets: [] });
    const fields = {
      client_id: open.clientId,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    };
    expectOAuthError(await server.form('/oidc/token', fields), 400, 'unauthorized_client');
    expectOAuthError(await moving().exchange(token, {}, demoManager(server)), 400, 'unauthorized_client');
    const side = await storeApplication(server);
    expectOAuthError(await moving().exchange(token, {}, side), 400, 'unauthorized_client');
    const wrong = { clientId: server.environment.client_id, clientSecret: 'wrong' };
    expectOAuthError(await moving().exchange(token, {}, wrong), 401, 'invalid_client');
    expect((await moving().exchange(token)).status).toBe(200);
  });

  test('an ID token from the previous issuer is rejected if the exchange request has unsupported parameter values', async () => {
    const { subject } = await moving().importUser();
    const token = await former.sign({ sub: subject });
    for (const fields of [
      { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      { subject_token_type: '' },
      { actor_token: token },
      { requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
      { subject_token: '' },
    ])
      invalid(await moving().exchange(token, fields as never));
    expect((await moving().exchange(token)).status).toBe(200);
  });

  test('a client cannot configure the previous issuer of its application', async () => {
    const side = await storeApplication(server);
    const { applicationId } = side.application;
    const former_issuer = { issuer: former.issuer, audience: AUDIENCE, jwks_uri: former.jwksUri };
    const body = { name: 'Side', former_issuer, formerIssuer: former_issuer };
    const path = `/v1/applications/${applicationId}`;
    await server.put(path, body, { token: await server.clientToken(side) });
    expect((await server.put(path, body, { token: await server.adminToken() })).status).toBe(200);
    const answer = await moving().exchange(await former.sign({ sub: 'no-such-user' }), {}, side);
    expectOAuthError(answer, 400, 'unauthorized_client');
  });
});

test('an ID token from the previous issuer is rejected after the end of the migration period', async () => {
  const { subject } = await moving().importUser();
  await server.advanceClock(31 * 24 * 3600);
  const answer = await moving().exchange(await former.sign({ sub: subject }));
  expectOAuthError(answer, 400, 'unauthorized_client');
});
