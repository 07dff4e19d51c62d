import { describe, expect, test } from '@jest/globals';
import { TENANT_WIDE } from '../../../shared/domain/trust/generations.ts';
import { findPasskeys } from '../../../shared/flows/hosted-login/find-passkeys.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  decodeClaims,
  type HostedLogin,
  leftTo,
  readForm,
  readHeading,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { givePasskey, passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import {
  type CreationAnswer,
  newPerson,
  registerPasskey,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';
import { createPasskey, FLAGS, usePasskey } from '../../support/tools/software-authenticator.ts';

const { server, login, someUser: withTwoFactors } = useHostedLogin({ rateLimits: 'off' });
const sectionB = passkeyLogin(server, login);

type Fields = Parameters<HostedLogin['address']>[0];

/** Creates a user whose only factor is the mailbox. */
async function someUser() {
  const email = newEmail();
  const { user_id: userId } = await createProvenUser(server, { email });
  return { email, userId };
}

const DAY = 86_400;
const OFFER = 'Add a passkey';
const cookieName = () => `__Host-passkey-${server.environment.tenant_id}`;

/** Returns a browser with the cookie that the page's script sets if the device can store a passkey. */
function ableBrowser(): BrowserJar {
  const jar = login.browser();
  jar.put(cookieName(), 'can');
  return jar;
}

/** Logs in up to the page that offers a passkey. Requests the creation options, with `mediation` if the script sets it. */
async function toOffer(to: string, jar = ableBrowser(), mediation?: 'conditional') {
  const page = await login.afterCode(jar, to);
  expect(readHeading(page)).toBe(OFFER);
  const path = /data-options="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const { csrf } = readForm(page);
  const body = new URLSearchParams({ csrf, ...(mediation && { mediation }) });
  const answer = await jar.request(path, { method: 'POST', body });
  return { jar, page, options: (await answer.json()) as CreationAnswer };
}

async function exchangeTokens(page: BrowserPage) {
  const { status, body } = await login.exchange(leftTo(page));
  expect(status).toBe(200);
  return decodeClaims(body.id_token);
}

const listPasskeys = async (userId: string) => {
  const { passkeyRecords } = await server.ports(['passkeyRecords.listOf']);
  return passkeyRecords.listOf(userId);
};

describe("a user's answer to the offer of a passkey", () => {
  test('a user who declines a passkey is not asked again in this browser for 30 days', async () => {
    const [ann, bob] = [await someUser(), await someUser()];
    const jar = ableBrowser();
    const offer = await login.afterCode(jar, ann.email);
    expect(readHeading(offer)).toBe(OFFER);
    expect(offer.html).not.toContain('/cancel"');
    const done = await offer.submit({}, '/later');
    expect(await exchangeTokens(done)).toMatchObject({ sub: ann.userId, amr: ['eotp'] });
    const [set = ''] = done.response.headers.getSetCookie().filter((line) => line.startsWith(cookieName()));
    expect(set).toContain(`; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${30 * DAY}`);
    expect(set).not.toContain(ann.userId);

    const again = { prompt: 'login' };
    expect((await login.afterCode(jar, ann.email, again)).left).toBeDefined();
    expect(readHeading(await login.afterCode(jar, bob.email, again))).toBe(OFFER);
    await server.advanceClock(30 * DAY + 1);
    expect(readHeading(await login.afterCode(jar, ann.email, again))).toBe(OFFER);
  });

  test('after a declined offer, a login makes the same AWS calls as in a browser without passkeys', async () => {
    const [ann, bob] = [await someUser(), await someUser()];
    const jar = ableBrowser();
    await (await login.afterCode(jar, ann.email)).submit({}, '/later');
    const countCalls = async (browser: BrowserJar, email: string) => {
      const page = await login.toCode(browser, email, { prompt: 'login' });
      const passcode = await server.codeTo(email);
      server.resetMetrics();
      leftTo(await page.submit({ passcode }));
      return server.metrics().loginAct?.last.calls.toSorted();
    };
    const plain = login.browser();
    await login.logIn(plain, bob.email);
    expect(await countCalls(jar, ann.email)).toEqual(await countCalls(plain, bob.email));
  });

  test('a user who accepts the offered passkey can use it at the next login', async () => {
    const { email, userId } = await someUser();
    const { jar, page, options } = await toOffer(email);
    const { passkey, result } = createPasskey(options, toOrigin(server));
    expect(await exchangeTokens(await page.submit({ credential: result }))).toMatchObject({ sub: userId });
    expect(await listPasskeys(userId)).toMatchObject([{ standing: 'proven', scope: TENANT_WIDE }]);

    const first = await jar.open(login.address({ prompt: 'login' }));
    expect(first.html.indexOf('id="passkey"')).toBeLessThan(first.html.indexOf('id="identifier"'));
    const done = await givePasskey(server, jar, first, passkey);
    expect(await exchangeTokens(done)).toMatchObject({ sub: userId, amr: ['webauthn'] });
  });

  test('a user with two factors is offered a passkey only after a login with both factors', async () => {
    const { email, phone, userId } = await withTwoFactors();
    const jar = ableBrowser();
    expect((await login.afterCode(jar, email)).left).toBeDefined();
    const asked = await jar.open(login.address({ acr_values: 'mfa' }));
    const sent = await asked.submit({ method: 'sms' });
    const offer = await sent.submit({ passcode: await server.codeTo(phone) });
    expect(readHeading(offer)).toBe(OFFER);
    expect(await exchangeTokens(await offer.submit({}, '/later'))).toMatchObject({ sub: userId, acr: 'mfa' });
  });
});

describe('failures during the offer of a passkey', () => {
  test.each<[string, (credential: string) => Promise<string>]>([
    ['a malformed credential', async () => 'nonsense'],
    [
      'an expired challenge',
      async (credential) => {
        await server.advanceClock(301);
        return credential;
      },
    ],
    [
      'a database error when the passkey is saved',
      async (credential) => {
        const fault = { effect: 'error', code: 'AccessDeniedException', status: 400, times: 1 } as const;
        await server.faults.inject({
          service: 'dynamodb',
          action: 'PutItem',
          operation: 'loginPasskey',
          ...fault,
        });
        return credential;
      },
    ],
  ])(
    'after a user accepts a passkey offer, the login continues to the application despite %s',
    async (_title, prepare) => {
      const { email, userId } = await someUser();
      const { page, options } = await toOffer(email);
      const credential = await prepare(createPasskey(options, toOrigin(server)).result);
      const done = await page.submit({ credential });
      await server.faults.clear();
      expect(await exchangeTokens(done)).toMatchObject({ sub: userId, amr: ['eotp'] });
      expect(await listPasskeys(userId)).toEqual([]);
    },
  );

  test("a login still returns to the application if the user's passkeys cannot be read", async () => {
    const { email, userId } = await someUser();
    const page = await login.toCode(ableBrowser(), email);
    const passcode = await server.codeTo(email);
    const fault = { effect: 'error', code: 'AccessDeniedException', status: 400 } as const;
    await server.faults.inject({ service: 'dynamodb', action: 'Query', ...fault });
    const done = await page.submit({ passcode }).finally(server.faults.clear);
    expect(await exchangeTokens(done)).toMatchObject({ sub: userId });
  });

  test('accepting the offer more than ten minutes after the login continues without a passkey', async () => {
    const { email, userId } = await someUser();
    const { page, options } = await toOffer(email);
    await server.advanceClock(601);
    const credential = createPasskey(options, toOrigin(server)).result;
    const asked = await page.submit({ credential });
    const done = asked.left ? asked : await asked.submit({}, '/continue');
    expect(await exchangeTokens(done)).toMatchObject({ sub: userId });
    expect(await listPasskeys(userId)).toEqual([]);
  });
});

describe('logins without the offer of a passkey', () => {
  const ends = async (jar: BrowserJar, email: string, change?: Fields) =>
    expect(answerIn(await login.logIn(jar, email, change))).toHaveProperty('code');

  test('no passkey is offered in a browser without JavaScript', async () =>
    ends(login.browser(), (await someUser()).email));

  test.each<[string, Partial<Application>]>([
    ['if the application has disabled the offer', { offerPasskeys: false }],
    ['if the application has not enabled passkeys', { loginPreferences: { email: {} } }],
    ['if the RP ID of the application is another host', { fixedRpId: 'shop.example' }],
  ])('no passkey is offered %s', async (_title, fields) => {
    const { email } = await someUser();
    await withApplication(server, fields, () => ends(ableBrowser(), email));
  });

  test('a user who has a passkey but logged in with only one other factor is offered no passkey', async () => {
    const person = await newPerson(server, createProvenUser);
    const passkey = await registerPasskey(server, person);
    await ends(ableBrowser(), person.email);
    // No passkey is offered after a login with the passkey either.
    const jar = ableBrowser();
    const page = await jar.open(login.address());
    const done = await givePasskey(server, jar, page, passkey);
    expect(answerIn(leftTo(done))).toHaveProperty('code');
  });

  test('no passkey is offered during single sign-on', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    await login.logIn(jar, email);
    jar.put(cookieName(), 'can');
    for (const change of [{ prompt: 'none' }, {}])
      expect(answerIn(leftTo(await jar.open(login.address(change))))).toHaveProperty('code');
  });
});

describe('passkey that a browser creates without a prompt', () => {
  const unattended = { flags: FLAGS.BACKUP_ELIGIBLE | FLAGS.BACKED_UP };

  test('a passkey created without user presence is accepted if the page requested conditional creation', async () => {
    const { email, userId } = await someUser();
    const { page, options } = await toOffer(email, ableBrowser(), 'conditional');
    const { passkey, result } = createPasskey(options, toOrigin(server), unattended);
    expect(await exchangeTokens(await page.submit({ credential: result }))).toMatchObject({ sub: userId });
    expect(await listPasskeys(userId)).toHaveLength(1);

    const next = await sectionB.begin();
    const lazy = usePasskey(passkey, next.options, toOrigin(server), { flags: FLAGS.USER_PRESENT });
    const refused = await next.page.submit({ credential: lazy });
    expect(refused.left).toBeUndefined();
    leftTo(await refused.submit({ credential: usePasskey(passkey, next.options, toOrigin(server)) }));
  });

  test('a passkey created without user presence is rejected if the page requested user presence', async () => {
    const { email, userId } = await someUser();
    const { page, options } = await toOffer(email);
    const { result } = createPasskey(options, toOrigin(server), unattended);
    await exchangeTokens(await page.submit({ credential: result }));
    expect(await listPasskeys(userId)).toEqual([]);
  });
});

test.each([
  ['the request does not require a second factor', {}, 0],
  ['the request requires a second factor', { requireMfa: true }, 1],
])(
  "single sign-on reads a user's passkeys only if a second factor is required: %s",
  async (_, request, times) => {
    let reads = 0;
    const passkeys = {
      listOf: async () => {
        reads += 1;
        return [];
      },
    };
    // `held` means single sign-on, which offers no passkey, so only the request decides if passkeys are read.
    const begun = { request, progress: { userId: 'ada', proven: [], held: true } };
    await findPasskeys({ passkeys } as never, { login: begun } as never, Promise.resolve({}) as never);
    expect(reads).toBe(times);
  },
);
