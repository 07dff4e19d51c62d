// An unauthenticated attacker requests as many codes as possible. The mailbox is not flooded, and its user can still log in.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_FAILURES, SENDS_PER_DAY, SENDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import { toAddressCounterKey } from '../../shared/domain/credentials/guesses.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import { networkHash } from '../../shared/domain/rate-limits/address-window.ts';
import { countSend, recipientHash } from '../../shared/domain/rate-limits/send-window.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { Identifier } from '../../shared/ports/people.ts';
import { demoTenant, withApplication } from '../support/fixtures/application.ts';
import { applicationClient } from '../support/fixtures/application-client.ts';
import {
  decodeClaims,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { logInBy } from '../support/fixtures/tokens.ts';

const { server, login } = useHostedLogin();
const VICTIM = '127.0.0.9';

const nextDay = async () => {
  await server.advanceClock(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
};
beforeEach(nextDay);

/**
 * Counts one message per network directly in the database, because requests over HTTP would take seconds. Returns the number
 * of messages that a limit rejects.
 */
async function countSends(
  from: readonly string[],
  to: Identifier,
  channel: 'email' | 'sms',
): Promise<number> {
  const { tenant_id, app_id } = server.environment;
  const uses = ['tenants', 'applications', 'identifiers', 'windows.count'] as const;
  const ports = await server.ports(uses);
  const [tenant, application, userId] = await Promise.all([
    ports.tenants.find(tenant_id),
    ports.applications.find(app_id),
    ports.identifiers.find(tenant_id, to),
  ]);
  if (!tenant || !application) throw new Error('the demo tenant is missing');
  const recipient = recipientHash(tenant, userId, to);
  const isRefused = async (address: string): Promise<boolean> => {
    const requester = { kind: 'stranger', network: networkHash(tenant, address) } as const;
    const send = { channel, recipient, requester };
    try {
      const now = Math.floor(Date.now() / 1000);
      await countSend(ports, { application, settings: { rateLimits: 'on' }, now }, send);
      return false;
    } catch (error) {
      if (error instanceof ServiceError && error.key === 'rate_limited') return true;
      throw error;
    }
  };
  return (await Promise.all(from.map(isRefused))).filter(Boolean).length;
}

/**
 * Requests 30 codes from unknown browsers in these networks, the last 10 of them on the hosted page. Returns the number of
 * rejected requests.
 */
async function bomb(from: readonly string[], to: Identifier): Promise<number> {
  const channel = to.type === 'email' ? 'email' : 'sms';
  let refused = 0;
  for (let sends = 0; sends < SENDS_PER_DAY; sends += 5) {
    await server.nextMinute();
    const batch = Array.from({ length: 5 }, (_, n) => from[(sends + n) % from.length] ?? '');
    if (sends < SENDS_PER_DAY - 10) refused += await countSends(batch, to, channel);
    else {
      const pages = batch.map((address) => login.toCode(login.browser(address), to.value, {}, channel));
      refused += (await Promise.all(pages)).map(readPageError).filter((error) => error !== undefined).length;
    }
  }
  return refused;
}

describe('flood of 30 code requests without authentication', () => {
  test('after many code requests from one network, a user can still request a code from another network', async () => {
    const email = newEmail();
    await createUser(server, { email });
    expect(await bomb(['127.0.0.2'], { type: 'email', value: email })).toBe((SENDS_PER_DAY * 5) / 6);
    await server.nextMinute();
    await login.logIn(login.browser(VICTIM), email);
  });

  test('after two networks have requested codes all day, the user can still request a code in an unknown browser', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const to: Identifier = { type: 'email', value: email };
    const two = ['127.0.0.2', '127.0.0.3'];
    for (let quarter = 0; quarter < 4; quarter += 1) {
      let refused = 0;
      for (let sends = 0; sends < 20; sends += 4) {
        await server.nextMinute();
        refused += await countSends([...two, ...two], to, 'email');
      }
      expect(refused).toBeGreaterThanOrEqual(10);
      await server.nextMinute();
      expect(await countSends([VICTIM], to, 'email')).toBe(0);
      if (quarter < 3) await server.advanceClock(6 * 3600 - 6 * 60);
    }
  });

  test('after code requests from many networks, the user can still request a code in a known browser', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number });
    const known = login.browser(VICTIM);
    await login.logIn(known, email);
    const networks = Array.from({ length: 10 }, (_, n) => `127.0.1.${n + 1}`);
    // The known browser was still unknown at its first login, so its message counts towards the limit for unknown browsers.
    expect(await bomb(networks, { type: 'email', value: email })).toBe(SENDS_PER_DAY / 3 + 1);
    const number: Identifier = { type: 'phone_number', value: phone_number };
    for (let sends = 0; sends < SENDS_PER_DAY; sends += 5) {
      await server.nextMinute();
      await countSends(networks.slice(0, 5), number, 'sms');
    }
    await server.nextMinute();
    const refused = await login.toCode(login.browser(VICTIM), email);
    expect(readPageError(refused)).toMatch(/^Too many requests/);

    await login.logIn(known, email, { prompt: 'login' });

    // In an unknown browser, a user who has verified the first factor can request a code for the second factor.
    const fresh = login.browser(VICTIM);
    await login.toCode(fresh, email, { acr_values: 'mfa' }, 'link');
    const second = await (await fresh.open(await server.linkTo(email))).submit({});
    const text = await second.submit({ method: 'sms' });
    leftTo(await text.submit({ passcode: await server.codeTo(phone_number) }));

    expect((await logInBy(server, 'email', email)).status).toBe(200);
  });

  test('after a backend has reported many code requests from one network, users in other networks can request codes', async () => {
    const { email } = await createUser(server, { email: newEmail() });
    const { clientRecords } = await server.ports(['clientRecords']);
    const client = await clientRecords.find(server.environment.client_id);
    if (!client) throw new Error('the demo client is missing');
    await clientRecords.replace(client, { ...client, trusted: true });
    const token = await server.clientToken();
    const send = async (ip_address: string) => {
      const who = { identifier_type: 'email', identifier: email?.value, channel: 'email' };
      const fields = { ...who, client_attributes: { ip_address } };
      return (await server.post('/v1/auth/otp/send', fields, { token })).status;
    };
    const statuses = [];
    for (let sends = 0; sends < 15; sends += 1) {
      if (sends % 5 === 0) await server.nextMinute();
      statuses.push(await send('203.0.113.7'));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(SENDS_PER_DAY / 3);
    expect(await send('203.0.113.8')).toBe(200);
  });
});

describe('message limits per mailbox and per phone number', () => {
  const phones = () => ({ email: newEmail(), phone_number: newPhoneNumber() });

  test("messages to any of a user's five identifiers count towards one limit for the user's mailbox", async () => {
    const { email, phone_number } = phones();
    const username = `user-${email.replaceAll(/\W/g, '-')}`;
    const card = { type: 'card', value: email };
    const fields = { email, phone_number, username, custom_identifiers: [card] };
    const { user_id } = await createUser(server, fields);
    const other = (await createUser(server, { email: newEmail() })).user_id;
    const names = [
      { identifier_type: 'email', identifier: email },
      { identifier_type: 'email', identifier: ` ${email.toUpperCase()} ` },
      { identifier_type: 'phone_number', identifier: phone_number },
      { identifier_type: 'username', identifier: username },
      { identifier_type: 'user_id', identifier: user_id },
      { identifier_type: 'card', identifier: email },
      { identifier_type: 'user_id', identifier: other, custom_email: email },
    ];
    const token = await server.clientToken();
    const redirect_uri = server.environment.redirect_uris[0];
    await server.nextMinute();
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => [
        ...names.map((name) => server.post('/v1/auth/otp/send', { channel: 'email', ...name }, { token })),
        server.post('/v1/auth/otp/email', { email, redirect_uri }, { token }),
      ]).flat(),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(SENDS_PER_MINUTE);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(asked.length - SENDS_PER_MINUTE);
    expect(await server.messages({ to: email })).toHaveLength(SENDS_PER_MINUTE);
    // Messages requested on the hosted page count towards the same limit.
    expect(readPageError(await login.toCode(login.browser(), email))).toMatch(/^Too many requests/);

    const links = await Promise.all(
      names
        .slice(0, 6)
        .map((name) => server.post('/v1/auth/link/email/send', { redirect_uri, ...name }, { token })),
    );
    links.push(await server.post('/v1/auth/links/email', { email, redirect_uri }, { token }));
    expect(links.filter(({ status }) => status === 200)).toHaveLength(SENDS_PER_MINUTE);
    await server.nextMinute();
    expect(
      (await server.post('/v1/auth/otp/send', { channel: 'email', ...names[0] }, { token })).status,
    ).toBe(200);
  });

  test('requests for several users with the same phone number share one message limit', async () => {
    const victim = phones();
    await createUser(server, victim);
    const attacker = newEmail();
    await createUser(server, { email: attacker });
    const token = await server.clientToken();
    await server.nextMinute();
    const texts = [];
    for (let n = 0; n < 4; n += 1)
      for (const name of [
        { identifier_type: 'phone_number', identifier: victim.phone_number },
        { identifier_type: 'email', identifier: victim.email },
        { identifier_type: 'email', identifier: attacker, custom_phone_number: victim.phone_number },
      ])
        texts.push((await server.post('/v1/auth/otp/send', { channel: 'sms', ...name }, { token })).status);
    expect(texts.filter((status) => status === 200)).toHaveLength(SENDS_PER_MINUTE);
    expect(await server.messages({ to: victim.phone_number })).toHaveLength(SENDS_PER_MINUTE);

    // The same limit applies if another user enters the phone number on the page that asks for a phone number.
    const asks = await login.afterCode(login.browser(), attacker, { acr_values: 'phone_number' });
    expect(readPageError(await asks.submit({ phone_number: victim.phone_number }))).toMatch(
      /^Too many requests/,
    );
    const text = await asks.submit({ phone_number: newPhoneNumber() });
    expect(readPageError(text)).toBeUndefined();
  });

  test("an address that belongs to no user has the same message limit as a user's mailbox", async () => {
    const token = await server.clientToken();
    const [email, redirect_uri] = [newEmail(), server.environment.redirect_uris[0]];
    const fields = { email, redirect_uri, create_new_user: true };
    await withApplication(server, {}, async () => {
      await server.nextMinute();
      const statuses = [];
      for (let sends = 0; sends < 4; sends += 1)
        statuses.push((await server.post('/v1/auth/otp/email', fields, { token })).status);
      expect(statuses).toEqual([200, 200, 200, 200]);
      const pages = [
        await login.toCode(login.browser(), email, { createNewUser: 'true' }),
        await login.toCode(login.browser(), email, { createNewUser: 'true' }),
      ];
      expect(pages.map(readPageError)).toEqual([undefined, expect.stringMatching(/^Too many requests/)]);
    });
    expect(await server.messages({ to: email })).toHaveLength(SENDS_PER_MINUTE);
  });
});

const VERIFY = 'Verify your email';

/**
 * Creates a pre-hijacked account: the attacker's account with the victim's unverified email address. `open` logs in with the
 * attacker's passkey and returns the next page.
 */
async function hijack() {
  const app = applicationClient(server);
  const [phone, email] = [newPhoneNumber(), newEmail('victim')];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { passkey } = await app.register((await app.byCode(phone, { channel: 'sms' })).body);
  await app.put(`/v1/users/${userId}`, { email });
  return { app, userId, email, passkey, open: () => app.byPasskeyOnPage(login, passkey) };
}

describe("passkey that an attacker added to an account with the victim's address", () => {
  test("an attacker's passkey cannot flood the victim's mailbox, and becomes invalid when the victim logs in", async () => {
    const { app, userId, email, passkey, open } = await hijack();
    const page = await open();
    expect(readHeading(page)).toBe(VERIFY);
    let sent = await page.submit({ method: 'email' });
    const errors = [];
    for (let sends = 1; sends < SENDS_PER_DAY / 2; sends += 1) {
      await server.nextMinute();
      sent = await sent.submit({}, '/resend');
      errors.push(readPageError(sent));
    }
    expect(errors.at(-1)).toMatch(/^Too many requests/);
    expect(await server.messages({ to: email })).toHaveLength(SENDS_PER_DAY / 6);
    expect(readHeading(await sent.submit({}, '/change'))).toBe(VERIFY);

    await server.nextMinute();
    const end = await login.logIn(login.browser(VICTIM), email);
    expect(decodeClaims((await login.exchange(end)).body.id_token)).toMatchObject({ sub: userId });
    expect((await app.byPasskey(passkey)).status).toBe(403);
  });

  test("an attacker's passkey on a pre-hijacked account cannot re-enable codes after 100 failed attempts", async () => {
    const { email, open } = await hijack();
    const ports = await server.ports(['guesses.count']);
    const tenant = await demoTenant(server);
    const person = toAddressCounterKey(tenant, identifierHash(tenant, { type: 'email', value: email }));
    for (let failures = 0; failures < PASSCODE_MAX_FAILURES; failures += 1)
      await ports.guesses.count(
        { userHash: person, callerType: 'signed-in' },
        PASSCODE_MAX_FAILURES,
        Date.now() / 1000,
      );
    for (let logins = 0; logins < 2; logins += 1) {
      await server.nextMinute();
      const sent = await (await open()).submit({ method: 'email' });
      const right = await sent.submit({ passcode: await server.codeTo(email) });
      expect(readPageError(right)).toMatch(/^You can’t sign in with a code/);
    }
  });
});
