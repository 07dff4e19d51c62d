import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { withApplication } from '../../support/fixtures/application.ts';
import { hostedLogin, leftTo, readHeading, readPageError } from '../../support/fixtures/hosted-login.ts';
import { givePasskey } from '../../support/fixtures/hosted-passkeys.ts';
import { registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import {
  answerAt,
  newClaims,
  newClaimsWithEmail,
  readLocation,
  useSocialLogin,
} from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const { upstream, server, social, browser, tokensAt } = useSocialLogin();

describe('rejected responses of a social login provider', () => {
  const failed = {
    error: 'access_denied',
    error_description: 'The provider did not prove who logged in',
  };
  const over = {
    error: 'access_denied',
    error_description: 'The login at the provider has ended or took too long: log in again',
  };

  test('a user who cancels a direct social login at the provider returns to the application with an error', async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const target = await readLocation(
      await jar.request(social.callback(authorization, { error: 'access_denied' })),
    );
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The login was cancelled at the provider',
      state: 'the state & more',
    });
  });

  test('a response of a social login provider is accepted only once', async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const address = social.callback(authorization, {
      code: upstream.issue(authorization, { claims: newClaims() }),
    });
    expect(answerAt(await readLocation(await jar.request(address)))).toEqual({ code: expect.any(String) });
    expect(answerAt(await readLocation(await jar.request(address)))).toEqual(over);
  });

  /** Goes to the provider, continues the login by an email code, and then opens the provider's late response. */
  async function comesTooLate(fields: object): Promise<string | undefined> {
    const [login, jar, email] = [hostedLogin(server), browser(), newEmail()];
    await createProvenUser(server, { email, ...fields });
    const page = await jar.open(login.address({ acr_values: 'mfa' }));
    const away = leftTo(await page.submit({ method: 'google' }));
    const code = upstream.issue(away, { claims: newClaimsWithEmail(email) });
    const asked = await page.submit({ identifier: email, method: 'email' });
    const second = await asked.submit({ passcode: await server.codeTo(email) });
    const redeemed = upstream.exchanges.length;
    const [, path = ''] = /action="(\/login\/[^"/]+)/.exec(second.html) ?? [];
    for (const late of [social.callback(away, { code }), `${path}/with/google`]) {
      const back = await jar.open(late);
      expect([readHeading(back), readPageError(back)]).toEqual([readHeading(second), undefined]);
    }
    expect(upstream.exchanges).toHaveLength(redeemed);
    return readHeading(second);
  }

  test('a response of a social login provider does not change a login that the user continued by another method', async () => {
    expect(await comesTooLate({ phone_number: newPhoneNumber() })).toBe('Confirm it’s you');
    await withApplication(server, { enrolSecondFactor: true }, async () => {
      expect(await comesTooLate({})).toBe('Add a passkey');
    });
  });

  test('a response of a social login provider is rejected after ten minutes', async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    await server.advanceClock(601);
    expect(answerAt(await social.comeBack(jar, authorization, { claims: newClaims() }))).toEqual(over);
  });

  test('a response of a social login provider is rejected in another browser (login CSRF)', async () => {
    const [own, victim] = [browser(), browser()];
    const authorization = await social.leave(own);
    await social.leave(victim);
    const address = social.callback(authorization, {
      code: upstream.issue(authorization, { claims: newClaims() }),
    });
    for (const jar of [victim, browser()]) {
      const response = await jar.request(address);
      expect([response.status, response.headers.get('location')]).toEqual([404, null]);
    }
    expect(answerAt(await readLocation(await own.request(address)))).toEqual({ code: expect.any(String) });
  });

  test('a response of a social login provider is rejected if its state is unknown', async () => {
    const authorization = await social.leave(browser());
    for (const state of ['x'.repeat(43), undefined]) {
      const response = await browser().request(social.callback(authorization, { state, code: 'x' }));
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('text/html');
    }
  });

  test("a provider's response at another provider's callback is rejected (mix-up attack)", async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const before = upstream.exchanges.length;
    const address = social.callback(authorization, { code: upstream.issue(authorization) });
    const target = await readLocation(await jar.request(address.replace('/google/', '/line/')));
    expect(answerAt(target)).toEqual(failed);
    expect(upstream.exchanges).toHaveLength(before);
    expect(answerAt(await readLocation(await jar.request(address)))).toEqual(over);
  });

  test.each([
    ['with another issuer in the parameter iss (RFC 9207)', { iss: 'https://other.example' }],
    ['without the parameter iss if the provider announces that it sends iss', { iss: undefined }],
    ['without a code', { code: undefined }],
    ['with a code of another login', { code: 'unknown' }],
  ])('a response of a social login provider is rejected %s', async (_, change) => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const code = upstream.issue(authorization, { claims: newClaims() });
    const target = await readLocation(await jar.request(social.callback(authorization, { code, ...change })));
    expect(answerAt(target)).toEqual(failed);
  });

  test('a response of a social login provider is rejected if its code was issued to another browser', async () => {
    const [jar, thief] = [browser(), browser()];
    const stolen = upstream.issue(await social.leave(jar), { claims: newClaims() });
    const authorization = await social.leave(thief);
    const target = await readLocation(await thief.request(social.callback(authorization, { code: stolen })));
    expect(answerAt(target)).toEqual(failed);
  });

  const signedBy = (alg: string, key: Buffer | KeyObject): Parameters<Upstream['issue']>[1] => ({
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg, kid: 'key-1' }).sign(key),
  });
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each<[string, (now: number) => Parameters<Upstream['issue']>[1]]>([
    [
      'without a signature (alg none)',
      () => ({ sign: (claims) => `${base64({ alg: 'none' })}.${base64(claims)}.` }),
    ],
    [
      'signed with the public key as a secret (HS256)',
      () => signedBy('HS256', Buffer.from(upstream.publicJwk)),
    ],
    ['signed with the client secret (HS256)', () => signedBy('HS256', Buffer.from(upstream.clientSecret))],
    [
      'signed with another key',
      () => signedBy('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    ['signed with an unknown key', () => ({ header: { kid: 'key-2' } })],
    ['for another audience', () => ({ claims: { aud: 'another-client' } })],
    ['for a second audience besides ours', () => ({ claims: { aud: [upstream.clientId, 'other'] } })],
    ['of another issuer', () => ({ claims: { iss: 'https://other.example' } })],
    ['after its expiry', (now) => ({ claims: { iat: now - 7200, exp: now - 3600 } })],
    ['with another nonce', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['if it is not a JWT', () => ({ sign: () => 'nonsense' })],
  ])('an ID token of a social login provider is rejected %s', async (_, tokensOf) => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const { claims, ...rest } = tokensOf(Math.floor(Date.now() / 1000)) ?? {};
    const target = await social.comeBack(jar, authorization, {
      claims: { ...newClaims(), ...claims },
      ...rest,
    });
    expect(answerAt(target)).toEqual(failed);
  });
});

describe('social login providers that fail or respond slowly', () => {
  const down = {
    error: 'temporarily_unavailable',
    error_description: 'The provider does not answer: try again shortly',
  };

  test("an error at a social login provider's token endpoint ends the login without a retry", async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    const before = upstream.exchanges.length;
    const answer = { status: 503, body: {} };
    expect(answerAt(await social.comeBack(jar, authorization, { answer }))).toEqual(down);
    expect(upstream.exchanges).toHaveLength(before + 1);
  });

  test('a social login provider that does not respond does not block the browser', async () => {
    const jar = browser();
    const authorization = await social.leave(jar);
    upstream.hang('/token');
    try {
      expect(answerAt(await social.comeBack(jar, authorization))).toEqual(down);
    } finally {
      upstream.resume();
    }
  });

  test('a login with an unreachable social login provider ends with an error', async () => {
    const gone = await startUpstream();
    await gone.stop();
    const { clientId, issuer } = gone;
    const google = { clientId, issuer };
    await withApplication(server, { loginPreferences: { google } }, async () => {
      expect(answerAt(await social.leave(browser()))).toEqual(down);
    });
  });

  test('each Lambda function fetches the metadata and keys of a social login provider only once', () => {
    // Three functions need the metadata: two functions redirect to the provider, and one handles its response.
    expect(upstream.counts.get('/.well-known/openid-configuration')).toBeLessThanOrEqual(3);
  });

  test('a social login provider without TLS is never called, except on loopback', async () => {
    const google = { clientId: 'x', issuer: 'http://provider.example' };
    await withApplication(server, { loginPreferences: { google } }, async () => {
      expect(answerAt(await social.leave(browser()))).toMatchObject({ error: 'access_denied' });
    });
  });

  test('a social login provider receives the client secret by the method in its metadata', () => {
    const { authorization } = upstream.exchanges[0] ?? {};
    const encoded = `${encodeURIComponent(upstream.clientId).replaceAll('-', '%2D')}`;
    expect(Buffer.from(authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toMatch(
      new RegExp(`^(?:${upstream.clientId}|${encoded}):the`),
    );
  });
});

const HELD_MS = 1500;

/** Starts linking an identity provider account, and erases its user while DynamoDB delays the write that links the account. */
async function eraseDuring<Answer>(
  userId: string,
  operation: string,
  link: () => Promise<Answer>,
): Promise<Answer> {
  const token = await server.clientToken();
  const held = { action: 'PutItem', effect: 'latency', latency_ms: HELD_MS, times: 1 } as const;
  await server.faults.inject({ service: 'dynamodb', operation, ...held });
  const linking = link();
  await server.faults.untilMet();
  expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
  return linking;
}

describe('linking an identity provider account during the erasure of its user', () => {
  test('a user erased during a direct social login can sign up again with the same provider account', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email });
    const [jar, claims] = [browser(), newClaimsWithEmail(email)];
    const away = await social.leave(jar);
    const target = await eraseDuring(userId, 'finishSocialLogin', () =>
      social.comeBack(jar, away, { claims }),
    );
    expect(answerAt(target).error).toBe('access_denied');
    expect((await tokensAt(await social.logIn(browser(), claims))).is_user_created).toBe(true);
  });

  test('a user erased during a social login on hosted pages can sign up again with the same provider account', async () => {
    const [login, jar, email] = [hostedLogin(server), browser(), newEmail()];
    const user = await createUser(server, { email });
    const tokens = await tokensBy(server, 'email', email);
    const passkey = await registerPasskey(server, { user, email, tokens });
    const claims = newClaimsWithEmail(email);
    const away = leftTo(await (await jar.open(login.address())).submit({ method: 'google' }));
    const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const done = await eraseDuring(user.user_id, 'loginPasskey', () =>
      givePasskey(server, jar, page, passkey),
    );
    expect(answerAt(leftTo(done)).error).toBe('access_denied');
    expect((await tokensAt(await social.logIn(browser(), claims))).is_user_created).toBe(true);
  });
});

/** Values of `acr_values` that select a provider (`…_direct`) or the login page (`centralized`). */
const [apple, google, line, page] = ['apple_direct', 'google_direct', 'line_direct', 'centralized'].map(
  (way) => `urn:cis:${way}`,
);
describe.each(['require', 'prefer'] as const)(
  'login request with acr_values from a client whose setting acr_values is "%s"',
  (acrValues) => {
    test.each([
      ['skips a provider that the application does not offer', `${apple} ${google}`, 'google'],
      ['goes to the first of two providers', `${line} ${google}`, 'line'],
      ['shows the login page if it is listed before a provider', `${page} ${google}`, 'page'],
      [
        'shows the login page if the application offers no provider that is listed before the page',
        `${apple} ${page}`,
        'page',
      ],
      ['shows the login page if the application offers none of the providers', apple, 'page'],
      [
        'shows the login page if mfa follows a provider that the application does not offer',
        `${apple} mfa`,
        'page',
      ],
      ['goes to a provider that is listed after mfa', `mfa ${google}`, 'google'],
    ])('a request with several acr_values %s', async (_, acr_values, expected) => {
      const { clientId: client_id } = await storeClient(server, { acrValues });
      const { pathname, origin, searchParams } = await readLocation(
        await browser().request(hostedLogin(server).address({ acr_values, client_id })),
      );
      const way = origin === upstream.issuer ? searchParams.get('redirect_uri') : pathname;
      expect(way).toContain(expected === 'page' ? '/login/' : `/auth/${expected}/callback`);
    });
  },
);

test.each([`mfa ${google}`, `${google} mfa`, `${apple} mfa ${google}`])(
  'a login with acr_values %s requires a second factor besides the social login',
  async (acr_values) => {
    const claims = newClaims();
    await tokensAt(await social.logIn(browser(), claims));
    const jar = browser();
    const authorization = await readLocation(await jar.request(hostedLogin(server).address({ acr_values })));
    const target = await social.comeBack(jar, authorization, { claims });
    expect(answerAt(target).error_description).toBe('A second factor is required, and the user has none');
  },
);
