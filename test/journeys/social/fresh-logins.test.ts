// Social logins whose ID token has an old `auth_time` or none, so that the provider may have logged the user in long ago.
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  decodeClaims,
  hostedLogin,
  leftTo,
  readHeading,
} from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { registerPasskey } from '../../support/fixtures/passkeys.ts';
import { findUser, newEmail } from '../../support/fixtures/people.ts';
import {
  answerAt,
  newClaims,
  newClaimsWithEmail,
  readLocation,
  useSocialLogin,
} from '../../support/providers/social.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { upstream, server, social, browser, tokensAt, findUserId } = useSocialLogin();
const login = hostedLogin(server);

const CONFIRM = 'Confirm it’s you';
const STALE = 'Google didn’t confirm that you signed in there just now';
const direct = { acr_values: 'urn:cis:google_direct' };
const forced = { ...direct, prompt: 'login' };
const DAY = 86_400;
const now = () => Math.floor(Date.now() / 1000);

type Claims = Record<string, unknown>;
type Fields = Readonly<Record<string, string | undefined>>;

/** Logs in at the provider, whose ID token has these claims. Returns the next page or the redirect target. */
async function afterProvider(jar: BrowserJar, change: Fields, claims: Claims): Promise<BrowserPage> {
  const authorization = await readLocation(await jar.request(login.address(change)));
  return jar.open(social.callback(authorization, { code: upstream.issue(authorization, { claims }) }));
}

/** Presses the provider's button on a page and logs in at the provider, whose ID token has these claims. */
async function pressProvider(jar: BrowserJar, page: BrowserPage, claims: Claims): Promise<BrowserPage> {
  const away = leftTo(await page.submit({ method: 'google' }));
  return jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
}

const idTokenAt = async (target: URL) => decodeClaims((await login.exchange(target)).body.id_token);

async function signedUp(claims: Claims): Promise<string> {
  return findUserId(await social.logIn(browser(), claims));
}

describe('login parameters that a social login provider receives', () => {
  const asked = { login_hint: 'ann@example.com', ui_locales: 'fr_CA en' };
  const passedOn = (authorization: URL) => {
    const { prompt, max_age, login_hint, ui_locales } = Object.fromEntries(authorization.searchParams);
    return { prompt, max_age, login_hint, ui_locales };
  };

  test.each<[Fields, Fields]>([
    [asked, { login_hint: 'ann@example.com', ui_locales: 'fr-CA en' }],
    [{ prompt: 'login' }, { prompt: 'login', max_age: '0' }],
    [{ prompt: 'select_account' }, { prompt: 'select_account' }],
    [{ prompt: 'consent login select_account' }, { prompt: 'login select_account', max_age: '0' }],
    [{ max_age: '3600' }, { max_age: '3600' }],
    [{ max_age: '0' }, { prompt: 'login', max_age: '0' }],
    [{ prompt: 'consent', login_hint: 'null' }, {}],
  ])('the login parameters %j are passed on to an OpenID provider as %j', async (change, expected) => {
    const fromEndpoint = await readLocation(await browser().request(login.address({ ...direct, ...change })));
    const fromPage = leftTo(await (await browser().open(login.address(change))).submit({ method: 'google' }));
    const fromSectionB = await social.leave(browser(), change);
    for (const authorization of [fromEndpoint, fromPage, fromSectionB])
      expect(passedOn(authorization)).toEqual({
        ...passedOn(new URL('https://none.example')),
        ...expected,
      });
  });

  test("a social login with prompt=select_account does not use the browser's session", async () => {
    const [jar, claims] = [browser(), newClaims()];
    leftTo(await afterProvider(jar, direct, claims));
    const chosen = await readLocation(
      await jar.request(login.address({ ...direct, prompt: 'select_account' })),
    );
    expect([chosen.origin, chosen.searchParams.get('prompt')]).toEqual([upstream.issuer, 'select_account']);
    const page = await jar.open(login.address({ prompt: 'select_account' }));
    expect(readHeading(page)).toBe('Sign in to Demo');
    const quiet = await jar.open(login.address({ prompt: 'none select_account' }));
    expect(answerIn(leftTo(quiet)).error).toBe('invalid_request');
  });
});

describe('auth_time of a social login', () => {
  test("the auth_time of a social login is copied from the provider's ID token", async () => {
    const [jar, authTime] = [browser(), now() - DAY];
    const claims = newClaims({ auth_time: authTime });
    const target = leftTo(await afterProvider(jar, { ...direct, scope: 'openid offline_access' }, claims));
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token).auth_time).toBe(authTime);
    expect(decodeClaims(body.access_token).auth_time).toBe(authTime);
    const refreshed = await server.form<{ id_token: string }>('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token ?? '',
      client_id: server.environment.client_id,
      client_secret: server.environment.client_secret,
    });
    expect(decodeClaims(refreshed.body.id_token).auth_time).toBe(authTime);
    expect((await idTokenAt(leftTo(await jar.open(login.address())))).auth_time).toBe(authTime);
    const { id_token } = await tokensAt(await social.logIn(browser(), claims));
    expect(decodeClaims(id_token).auth_time).toBe(authTime);
  });

  test("without a valid auth_time in the provider's ID token, the auth_time is the time of the social login", async () => {
    for (const auth_time of [undefined, 0, now() + 300]) {
      const target = leftTo(await afterProvider(browser(), direct, newClaims({ auth_time })));
      const { auth_time: authTime, iat = 0 } = await idTokenAt(target);
      expect(Math.abs(authTime - iat)).toBeLessThanOrEqual(5);
    }
  });

  test('an old auth_time from the provider does not prevent the user from adding a passkey', async () => {
    for (const scope of ['openid', 'openid offline_access']) {
      const claims = newClaims({ auth_time: now() - DAY });
      const target = leftTo(await afterProvider(browser(), { ...direct, scope }, claims));
      const { body } = await login.exchange(target);
      const user = await findUser(server, decodeClaims(body.id_token).sub ?? '');
      await registerPasskey(server, { user, email: newEmail(), tokens: body });
    }
  });
});

describe('social login without proof of a recent authentication at the provider', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age', { max_age: '300' }],
    ['max_age=0', { max_age: '0' }],
  ])('after a social login that is not recent, an email code can satisfy %s', async (_, change) => {
    for (const auth_time of [undefined, now() - DAY]) {
      const [jar, email] = [browser(), newEmail()];
      const claims = newClaimsWithEmail(email, { auth_time });
      const userId = await signedUp(claims);
      const page = await afterProvider(jar, { ...direct, ...change }, claims);
      expect([readHeading(page), page.html.includes(STALE), page.html.includes('value="google"')]).toEqual([
        CONFIRM,
        true,
        false,
      ]);
      const reloaded = await jar.open(page.response.url);
      const sent = await reloaded.submit({ method: 'email' });
      const idToken = await idTokenAt(leftTo(await sent.submit({ passcode: await server.codeTo(email) })));
      expect(idToken.sub).toBe(userId);
      expect(Math.abs(idToken.auth_time - now())).toBeLessThanOrEqual(10);
    }
  });

  test("a recent auth_time in the provider's ID token satisfies prompt=login and max_age", async () => {
    const claims = newClaimsWithEmail();
    await signedUp(claims);
    for (const change of [{ prompt: 'login' }, { max_age: '300' }, { max_age: '0' }]) {
      const page = await afterProvider(browser(), { ...direct, ...change }, { ...claims, auth_time: now() });
      leftTo(page);
    }
    const minutes = { ...claims, auth_time: now() - 200 };
    leftTo(await afterProvider(browser(), { ...direct, max_age: '300' }, minutes));
    expect(readHeading(await afterProvider(browser(), forced, minutes))).toBe(CONFIRM);
  });

  test('a session satisfies max_age only if the identity provider has confirmed a recent login', async () => {
    const silent = { prompt: 'none', max_age: '300' };
    const errorFor = async (auth_time: number | undefined) => {
      const jar = browser();
      await idTokenAt(leftTo(await afterProvider(jar, direct, newClaims({ auth_time }))));
      return answerIn(leftTo(await jar.open(login.address(silent)))).error;
    };
    expect(await errorFor(undefined)).toBe('login_required');
    expect(await errorFor(now() - DAY)).toBe('login_required');
    expect(await errorFor(now())).toBeUndefined();
  });

  test('after a social login that is not recent, an email code is accepted even if email login is disabled', async () => {
    const [jar, email] = [browser(), newEmail()];
    const claims = newClaimsWithEmail(email);
    await signedUp(claims);
    const { clientId, issuer } = upstream;
    const google = { clientId, issuer, trustedForEmail: true };
    await withApplication(server, { loginPreferences: { google } }, async () => {
      const page = await afterProvider(jar, forced, claims);
      const sent = await page.submit({ method: 'email' });
      leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
    });
  });

  test('after a social login that is not recent, a user without an email address must log in at the provider again', async () => {
    const [jar, claims] = [browser(), newClaims()];
    await signedUp(claims);
    const page = await afterProvider(jar, forced, claims);
    expect(readHeading(page)).toBe(CONFIRM);
    expect(page.html).toContain('Sign out at Google and try again.');
    expect(page.html).not.toContain('value="email"');
    const again = await pressProvider(jar, page, claims);
    expect(again.html).toContain('Sign out at Google and try again.');
    const other = await pressProvider(jar, again, newClaims({ auth_time: now() }));
    expect(readHeading(other)).toBe(CONFIRM);
    const target = leftTo(await pressProvider(jar, other, { ...claims, auth_time: now() }));
    expect((await idTokenAt(target)).amr).toEqual(['social']);
  });

  test('after a social login that is not recent, a new user signs up with an email code', async () => {
    const [jar, email] = [browser(), newEmail()];
    const page = await afterProvider(jar, forced, newClaimsWithEmail(email));
    const sent = await page.submit({ method: 'email' });
    const target = leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
    const idToken = await idTokenAt(target);
    expect(idToken).toMatchObject({ email, email_verified: true, new_user: true, amr: ['social', 'eotp'] });
    expect(idToken.acr).toBeUndefined();
  });

  test('a new user without an email address can sign up with a recent login at the provider', async () => {
    const [jar, claims] = [browser(), newClaims()];
    const page = await afterProvider(jar, forced, claims);
    expect(page.html).toContain('Sign out at Google and try again.');
    const target = leftTo(await pressProvider(jar, page, { ...claims, auth_time: now() }));
    expect(await idTokenAt(target)).toMatchObject({ new_user: true, amr: ['social'] });
  });

  test('after a direct social login that is not recent, a page asks the user for an email code', async () => {
    for (const change of [{ prompt: 'login' }, { max_age: '60' }]) {
      const [jar, email] = [browser(), newEmail()];
      const claims = newClaimsWithEmail(email);
      const userId = await signedUp(claims);
      const authorization = await social.leave(jar, change);
      const page = await jar.open(
        social.callback(authorization, { code: upstream.issue(authorization, { claims }) }),
      );
      expect(readHeading(page)).toBe(CONFIRM);
      const sent = await page.submit({ method: 'email' });
      const target = leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
      expect(answerAt(target)).toEqual({ code: expect.any(String) });
      expect(await findUserId(target)).toBe(userId);
    }
    const fresh = newClaims({ auth_time: now() });
    await tokensAt(await social.logIn(browser(), fresh, { prompt: 'login' }));
    expect(answerAt(await social.leave(browser(), { max_age: 'soon' })).error).toBe('invalid_request');
  });
});

describe('social login to confirm a change on the account page', () => {
  const account = createAccountActions(server, login);
  const LATER = 11 * 60;

  test('a social login confirms a change on the account page only if it is recent', async () => {
    const [jar, email] = [browser(), newEmail()];
    const atProvider = () => ({ iat: now() + LATER, exp: now() + LATER + 300 });
    const claims = newClaimsWithEmail(email);
    await signedUp(claims);
    leftTo(await afterProvider(jar, direct, claims));
    await server.advanceClock(LATER);
    const asked = await (await jar.open(account.address())).submit({}, 'account/download');
    expect(readHeading(asked)).toBe(CONFIRM);
    const away = leftTo(await asked.submit({ method: 'google' }));
    expect(away.searchParams.get('prompt')).toBe('login');
    const code = upstream.issue(away, { claims: { ...claims, ...atProvider() } });
    const stale = await jar.open(social.callback(away, { code }));
    expect([readHeading(stale), stale.html.includes(STALE)]).toEqual([CONFIRM, true]);
    const sent = await stale.submit({ method: 'email' });
    const back = await sent.submit({ passcode: await server.codeTo(email) });
    expect(back.html).toContain('Thanks for confirming it’s you.');

    await server.advanceClock(LATER);
    const later = await (await jar.open(account.address())).submit({}, 'account/download');
    const fresh = { ...claims, iat: now() + 2 * LATER, exp: now() + 2 * LATER + 300 };
    const shown = await pressProvider(jar, later, { ...fresh, auth_time: now() + 2 * LATER });
    expect(shown.html).toContain('Thanks for confirming it’s you.');
  });
});
