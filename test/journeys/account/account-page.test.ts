// The account page, on which users see their account and end their sessions.
import { describe, expect, test } from '@jest/globals';
import { applicationClient } from '../../support/fixtures/application-client.ts';
import {
  decodeClaims,
  leftTo,
  readForm,
  readHeading,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { refresh } from '../../support/tools/authorized.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off', events: true });

const account = createAccountActions(server, login);
const { open } = account;
const cookieName = () => `__Host-login-${server.environment.tenant_id}`;

async function listSessions(userId: string): Promise<readonly string[]> {
  const token = await server.clientToken();
  const path = `/v1/auth/users/${userId}/sessions`;
  const { body } = await server.get<{ session_id: string }[]>(path, { token });
  return body.map(({ session_id }) => session_id);
}

const itemIn = ({ html }: BrowserPage) => /name="item" value="([^"]*)"/.exec(html)?.[1] ?? '';

describe('data and actions on the account page', () => {
  test("the account page asks the user to log in and then shows the user's data", async () => {
    const { email, userId } = await someUser();
    const jar = login.browser();
    jar.userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const page = await open(email, jar);
    expect([page.status, readHeading(page)]).toEqual([200, 'Your account']);
    expect(page.response.url).not.toMatch(/code=|result=/);
    const labels = ['Change the email address', 'Change the phone number'];
    for (const text of [email, 'This browser', 'Demo · Firefox on Linux', 'You have no passkeys.', ...labels])
      expect(page.html).toContain(text);
    expect(await listSessions(userId)).toHaveLength(1);

    await server.settleEvents();
    expect((await jar.open(account.address())).html).toContain('Sign-in');
    // Single sign-on: the login to the account page also logs the user in to an application.
    const { body } = await login.exchange(leftTo(await jar.open(login.address())));
    expect(decodeClaims(body.id_token)).toMatchObject({ sub: userId });
    const token = await server.adminToken();
    const user = await server.get<{ result: object }>(`/v1/users/${userId}`, { token });
    expect(user.body.result).toMatchObject({ status: 'Active' });
  });

  test('the account page shows the last 20 events of the user', async () => {
    const { email, userId } = await someUser();
    const { timeline } = await server.ports(['timeline']);
    const day = (n: number) => `2099-01-${String(n).padStart(2, '0')}T12:00:00.000Z`;
    const detail = { user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    for (let n = 1; n <= 21; n += 1) {
      const type = n === 21 ? 'user.updated' : 'passkey.added';
      await timeline.add({ userId, eventId: `event${n}`, type, time: day(n), detail }, Date.now());
    }
    const { html } = await open(email);
    expect([html.includes(day(2)), html.includes(day(1)), html.includes('Firefox on Linux')]).toEqual([
      ...[true, false, true],
    ]);
    // The page has no text for this event.
    expect(html).not.toContain(day(21));
  });

  test('signing out on the account page ends the session of the browser', async () => {
    const { email, userId } = await someUser();
    const [jar, other] = [login.browser(), login.browser()];
    await login.logIn(other, email);
    const page = await open(email, jar);
    expect(page.html).toMatch(/<time datetime="[^"]*Z" data-shows="both">[^<]* UTC<\/time>/);
    const done = await page.submit({}, '/session/end?');
    expect(readHeading(done)).toBe('You’re signed out');
    expect(jar.cookies.has(cookieName())).toBe(false);
    expect(await listSessions(userId)).toHaveLength(1);
    expect(readHeading(await jar.open(account.address()))).not.toBe('Your account');
    // A form copied from the first browser is rejected in another browser.
    const copied = await other.open('/oidc/session/end', {
      method: 'POST',
      body: new URLSearchParams({ csrf: readForm(page).csrf }),
    });
    expect(readHeading(copied)).not.toBe('You’re signed out');
    expect(await listSessions(userId)).toHaveLength(1);
  });

  test('without a client ID in the URL, the account page shows the account of the most recent login', async () => {
    const { base_url } = server.environment;
    const { body } = await server.get<{ enroll: string; manage: string }>(
      `${new URL(base_url).origin}/.well-known/passkey-endpoints`,
    );
    expect(body.enroll).toBe(body.manage);
    const jar = login.browser();
    await open((await someUser()).email, jar);
    const page = await jar.open(body.manage);
    expect([readHeading(page), page.html.includes('tabindex="-1" autofocus>Passkeys')]).toEqual([
      'Your account',
      true,
    ]);
    const stranger = await login.browser().open(body.manage);
    expect([stranger.status, readHeading(stranger)]).toEqual([404, 'This sign\u2011in has expired']);
  });

  test('a user who cancels the login to the account page sees a page with a link to the login', async () => {
    const page = await login.browser().open(account.address());
    const closed = await page.submit({}, 'cancel');
    expect(closed.html).toContain('Sign in to see your account.');
    expect(readHeading(await login.browser().open(account.address('unknown')))).not.toBe('Your account');
  });

  test('a user can end any or all of their other sessions on the account page', async () => {
    const { email, userId } = await someUser();
    const tokens = async (jar = login.browser()) => {
      const wanted = { prompt: 'consent', scope: 'openid offline_access' };
      return (await login.exchange(await login.logIn(jar, email, wanted))).body;
    };
    const phone = await tokens();
    const jar = login.browser();
    const page = await open(email, jar);
    const done = await page.submit({}, 'sessions/end?');
    expect(done.html).toContain('Signed out there.');
    expect((await refresh(server, phone.refresh_token)).status).toBe(400);
    expect(await listSessions(userId)).toHaveLength(1);

    const [one, two] = [await tokens(), await tokens()];
    const shown = await jar.open(account.address());
    expect((await shown.submit({}, 'sessions/end-others')).html).toContain('Signed out there.');
    for (const { refresh_token } of [one, two])
      expect((await refresh(server, refresh_token)).status).toBe(400);
    expect(await listSessions(userId)).toHaveLength(1);
    await tokens();
    // The second time, no other session is left, so no event is recorded.
    for (let times = 0; times < 2; times += 1) await shown.submit({}, 'sessions/end-others');
    await server.settleEvents();
    const { body } = await server.get<{ result: { timeline: { type: string }[] } }>(
      `/v1/users/${userId}/export`,
      { token: await server.adminToken() },
    );
    expect(body.result.timeline.filter(({ type }) => type === 'session.ended')).toHaveLength(3);
  });

  test('a user can end another session on the account page only after a recent login', async () => {
    const { email, userId } = await someUser();
    await login.logIn(login.browser(), email);
    await server.advanceClock(1);
    const jar = login.browser();
    const page = await open(email, jar);
    // The newest session, which is that of this browser, comes first.
    expect(page.html.indexOf('This browser')).toBeLessThan(page.html.indexOf('sessions/end?'));
    await server.advanceClock(11 * 60);
    const stale = await jar.open(account.address());
    expect(stale.html).not.toContain(email);
    const asked = await stale.submit({}, 'sessions/end?');
    expect(readHeading(asked)).toBe('Confirm it’s you');
    expect(await listSessions(userId)).toHaveLength(2);

    const code = await asked.submit({ method: 'email' });
    const back = await code.submit({ passcode: await server.codeTo(email) });
    expect(back.html).toContain('Thanks for confirming it’s you.');
    expect(back.html).toContain(email);
    expect((await back.submit({}, 'sessions/end?')).html).toContain('Signed out there.');
    expect(await listSessions(userId)).toHaveLength(1);
  });
});

describe('requests that the account page rejects', () => {
  async function twoSessions() {
    const person = await someUser();
    await login.logIn(login.browser(), person.email);
    const jar = login.browser();
    return { ...person, jar, page: await open(person.email, jar) };
  }
  const path = (act = 'end-others') => `/account/sessions/${act}?client_id=${server.environment.client_id}`;
  const post = (jar: BrowserJar, fields: Readonly<Record<string, string>>, act?: string) =>
    jar.open(path(act), { method: 'POST', body: new URLSearchParams(fields) });

  test('the account page rejects a form without the CSRF token of the current login in the browser', async () => {
    const { jar, userId, email } = await twoSessions();
    const others = await twoSessions();
    for (const csrf of [undefined, 'x', readForm(others.page).csrf]) {
      const page = await post(jar, csrf === undefined ? {} : { csrf });
      expect(page.html).toContain('This page was open for too long.');
    }
    const before = readForm(await jar.open(account.address())).csrf;
    // A new login in the same browser invalidates the forms of the previous login.
    await login.logIn(jar, email, { prompt: 'login' });
    expect((await post(jar, { csrf: before })).html).toContain('This page was open for too long.');
    expect(await listSessions(userId)).toHaveLength(3);
  });

  test("a user cannot end another user's sessions on the account page", async () => {
    const { jar, page, userId } = await twoSessions();
    const victim = await twoSessions();
    const [before, own] = [await listSessions(victim.userId), await listSessions(userId)];
    for (const item of [itemIn(victim.page), ...before, '']) {
      // The page does not reveal whether the session exists.
      const done = await post(jar, { csrf: readForm(page).csrf, item }, 'end');
      expect(done.html).toContain('Signed out there.');
    }
    const stranger = await post(
      login.browser(),
      { csrf: readForm(victim.page).csrf, item: itemIn(victim.page) },
      'end',
    );
    expect(stranger.html).toContain('name="identifier"');
    expect(await listSessions(victim.userId)).toEqual(before);
    expect(await listSessions(userId)).toEqual(own);
  });

  test('ten minutes after a login, a stolen login cookie reveals no addresses and ends no sessions on the account page', async () => {
    const { jar, page, email, phone, userId } = await twoSessions();
    const thief = login.browser();
    thief.put(cookieName(), jar.cookies.get(cookieName()) ?? '');
    expect((await post(thief, { csrf: readForm(page).csrf })).html).toContain(
      'This page was open for too long.',
    );
    await server.advanceClock(11 * 60);
    const shown = await thief.open(account.address());
    for (const address of [email, phone]) expect(shown.html).not.toContain(address);
    const asked = await post(thief, { csrf: readForm(shown).csrf });
    expect(readHeading(asked)).toBe('Confirm it’s you');
    expect(await listSessions(userId)).toHaveLength(2);
  });

  test('the account page rejects a login with a passkey that a client has registered for the user', async () => {
    const stored = await storeApplication(server, {
      name: 'Side',
      loginPreferences: { direct: {}, passkey: {} },
    });
    const side = applicationClient(server, stored);
    const { email, userId } = await someUser();
    await login.logIn(login.browser(), email);
    const { passkey } = await side.registerFor(userId);
    const jar = login.browser();
    leftTo(await side.byPasskeyOnPage(login, passkey, jar));
    // Neither application's account page accepts the login, because the side application's client registered the passkey.
    for (const clientId of [stored.clientId, server.environment.client_id]) {
      const page = await jar.open(account.address(clientId));
      expect(readHeading(page)).not.toBe('Your account');
      expect(page.html).not.toContain('Where you are signed in');
    }
  });
});

test('after a recent login, a user can download their data as a file', async () => {
  const { email, phone, userId } = await someUser();
  const jar = login.browser();
  const page = await account.open(email, jar);
  const file = await page.submit({}, 'account/download');
  const { headers } = file.response;
  expect(headers.get('content-disposition')).toBe('attachment; filename="account.json"');
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'application/json',
    'no-store',
  ]);
  const data = JSON.parse(file.html) as { user: object; sessions: object[] };
  expect(data.user).toMatchObject({ user_id: userId, phone_number: { value: phone } });
  expect(data.sessions).toHaveLength(1);

  const path = account.address(undefined, '/download');
  const forged = await jar.open(path, { method: 'POST', body: new URLSearchParams({ csrf: 'x' }) });
  expect(forged.html).toContain('This page was open for too long.');
  await server.advanceClock(601);
  const stale = await (await jar.open(account.address())).submit({}, 'account/download');
  expect(readHeading(stale)).toBe('Confirm it’s you');

  // The export also contains the user's previous email address.
  const token = await server.clientToken();
  await server.put(`/v1/users/${userId}`, { email: newEmail() }, { token });
  const { body } = await server.get<{ result: object }>(`/v1/users/${userId}/export`, { token });
  const kept = [{ value: email, kept_until: expect.stringMatching(/Z$/) }];
  expect(body.result).toMatchObject({ former_addresses: kept });
});
