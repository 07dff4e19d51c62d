// Account pre-hijacking: the attacker has an account to which the victim's address is added before the victim logs in.
import { expect, test } from '@jest/globals';
import { hostedLogin, leftTo, readHeading } from '../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { newClaims, useSocialLogin } from '../support/providers/social.ts';
import {
  ACCOUNT,
  type ApplicationClient,
  createNoticePages,
  createPeople,
  findMainApplication,
  readSub,
} from './people.ts';

const { server, social, upstream } = useSocialLogin();
const main = findMainApplication(server);
const { withMail, readRecord } = createPeople(server, main);
const { browser, givePasskey } = createNoticePages(server, main);

type Tokens = Awaited<ReturnType<ApplicationClient['direct']>>;

/** Returns how many credentials of an earlier login are still accepted: its session ID, refresh token and access token. */
async function living({ session_id, refresh_token, access_token }: Tokens) {
  const answers = [
    await main.post('/v1/auth/session/authenticate', { session_id }),
    await main.post('/v1/auth/token/refresh', { refresh_token }),
    await server.get('/oidc/me', { token: access_token }),
  ];
  return answers.filter(({ status }) => status === 200).length;
}

/**
 * Creates the attacker's account at the main application. The attacker can log in with a phone number, an identity provider
 * account, a passkey, a device key, a browser session and tokens.
 */
async function attackers() {
  const phone = newPhoneNumber();
  const userId = await main.make({ phone_number: phone });
  const { body: first } = await main.byCode(phone);
  const key = await main.deviceKey(first);
  const { passkey } = await main.register(first);
  const [jar, claims] = [browser(), newClaims()];
  // Before the account page links an identity provider account, it requires the phone number and the passkey.
  const asked = await (await main.account(phone, jar)).submit({ item: 'google' }, 'identities/add');
  const connecting = await givePasskey(jar, asked, passkey);
  const away = leftTo(await connecting.submit({ method: 'google' }));
  const back = social.callback(away, { code: upstream.issue(away, { claims }) });
  expect(readHeading(await jar.open(back))).toBe(ACCOUNT);
  const { body: tokens } = await main.byCode(phone);
  return { userId, phone, key, passkey, jar, claims, tokens };
}

/** Tries each login method of the attacker. Returns for each method whether it still gives access to the account. */
async function ways({
  userId,
  phone,
  key,
  passkey,
  jar,
  claims,
  tokens,
}: Awaited<ReturnType<typeof attackers>>) {
  const quiet = leftTo(await main.open(jar, { prompt: 'none' }));
  const byAccount = await social.logIn(browser(), claims);
  const { body } = await social.exchange(byAccount);
  return {
    phone: (await main.byCode(phone)).status === 200,
    passkey: (await main.byPasskey(passkey)).status === 200,
    'passkey on pages': (await main.byPasskeyOnPage(hostedLogin(server), passkey)).left !== undefined,
    'device key': (await main.approve(userId, key)).status === 200,
    account: byAccount.searchParams.has('code') && readSub({ status: 200, body } as never) === userId,
    cookie: quiet.searchParams.has('code'),
    tokens: (await living(tokens)) > 0,
  };
}

const everyWay = (isOpen: boolean) =>
  Object.fromEntries(
    ['phone', 'passkey', 'passkey on pages', 'device key', 'account', 'cookie', 'tokens'].map((way) => [
      way,
      isOpen,
    ]),
  );

test("A7: an attacker who set the victim's address on an account loses access when the victim first logs in", async () => {
  const before = await attackers();
  expect(await ways(before)).toEqual(everyWay(true));
  const email = newEmail('victim');
  expect((await main.change(before.userId, { email, end_sessions: false })).status).toBe(200);
  const victim = await main.byCode(email);
  expect(readSub(victim)).toBe(before.userId);
  expect(await ways(before)).toEqual(everyWay(false));
  expect((await main.bind(victim.body)).status).toBe(200);
});

test("A20: a user's first login makes a passkey that a client registered before the login invalid", async () => {
  const email = newEmail('victim');
  const userId = await main.make({ email });
  const { passkey } = await main.registerFor(userId);
  expect(readSub(await main.byPasskey(passkey))).toBe(userId);
  const victim = await main.byCode(email);
  expect([readSub(victim), (await main.byPasskey(passkey)).status]).toEqual([userId, 403]);
  expect((await main.bind(victim.body)).status).toBe(200);
  // A passkey that the client registers after the user's first login is valid.
  const { passkey: later } = await main.registerFor((await withMail()).userId);
  expect((await main.byPasskey(later)).status).toBe(200);
});

test("A21: an attacker's passkey stays invalid when the victim verifies the account's email address and phone number", async () => {
  const [own, phone, email] = [newEmail('attacker'), newPhoneNumber(), newEmail('victim')];
  const userId = await main.make({ email: own, phone_number: phone });
  const { body: attacker } = await main.byCode(own);
  const { passkey } = await main.register(attacker);
  const { body: tokens } = await main.byPasskey(passkey);
  expect((await main.change(userId, { email, end_sessions: false })).status).toBe(200);

  expect(readSub(await main.byCode(email))).toBe(userId);
  expect(readSub(await main.byBoth(email, phone))).toBe(userId);
  expect((await main.byPasskey(passkey)).status).toBe(403);
  expect([await living(attacker), await living(tokens)]).toEqual([0, 0]);
  expect(readSub(await main.byCode(own))).not.toBe(userId);
  // The email address and the phone number still belong to the victim's account.
  expect(readSub(await main.byCode(phone))).toBe(userId);
  expect(await readRecord(userId)).toMatchObject({ email: { value: email }, phone_number: { value: phone } });
});
