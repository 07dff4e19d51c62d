import { describe, expect, test } from '@jest/globals';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser } from '../../support/fixtures/people.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

/** Returns a new address at the mailbox simulator of SES, which accepts every email and reports its outcome later. */
const simulator = (mailbox: 'bounce' | 'complaint' | 'success') =>
  `${mailbox}+${crypto.randomUUID()}@simulator.amazonses.com`;

interface UserBody {
  readonly result: {
    readonly user_id: string;
    readonly email?: {
      readonly value: string;
      readonly email_verified: boolean;
      readonly undeliverable?: { readonly reason: string; readonly since: string };
    };
  };
}

const REFUSED = { error_code: 'external_provider_configuration_error' };

const server = useTestServer({ rateLimits: 'off' });
const backend = useBackend(server);

const newUser = async (email: string) => (await createUser(server, { email })).user_id;
const readEmail = async (userId: string) =>
  (await backend.get<UserBody>(`/v1/users/${userId}`)).body.result.email;
const sendOtp = (identifier: string, more: object = {}) =>
  backend.sendOtp({ channel: 'email', identifier, ...more });
const mails = async (to: string) => (await server.messages({ to })).length;

/** Polls until the user's address is flagged as undeliverable, because SES reports a bounce after it accepted the email. */
async function marked(userId: string) {
  for (;;) {
    const email = await readEmail(userId);
    if (email?.undeliverable) return email;
  }
}

/** Creates a user whose address has bounced. */
async function deadUser(mailbox: 'bounce' | 'complaint' = 'bounce') {
  const email = simulator(mailbox);
  const userId = await newUser(email);
  expect(await sendOtp(email)).toMatchObject({ status: 200 });
  return { email, userId, shown: await marked(userId) };
}

describe('N139 email address flagged as undeliverable', () => {
  test.each(['bounce', 'complaint'] as const)(
    'after a %s, an address is flagged as undeliverable and receives no more emails',
    async (mailbox) => {
      const { email, shown } = await deadUser(mailbox);
      expect(shown).toEqual({
        value: email,
        email_verified: false,
        undeliverable: { reason: mailbox, since: expect.stringMatching(/^20.+Z$/) },
      });
      const before = await mails(email);
      expect(await sendOtp(email)).toMatchObject({ status: 400, body: REFUSED });
      const link = {
        identifier_type: 'email',
        identifier: email,
        redirect_uri: server.environment.redirect_uris[0],
      };
      expect(await backend.post('/v1/auth/link/email/send', link)).toMatchObject({
        status: 400,
        body: { error_code: '400', message: expect.stringMatching(/takes no mail/) },
      });
      const codeBased = { email, redirect_uri: server.environment.redirect_uris[0] };
      for (const path of ['/v1/auth/otp/email', '/v1/auth/links/email'])
        expect(await backend.post(path, codeBased)).toMatchObject({
          status: 400,
          body: { message: [expect.stringMatching(/takes no mail/)] },
        });
      expect(await mails(email)).toBe(before);
    },
  );

  test('an email to an undeliverable address is also rejected if the request names it in custom_email', async () => {
    const { email } = await deadUser();
    const disguised = email.replace('bounce', 'BOUNCE');
    expect(await sendOtp(email, { custom_email: disguised })).toMatchObject({ status: 400, body: REFUSED });
    const other = simulator('success');
    expect(await sendOtp(email, { custom_email: other })).toMatchObject({ status: 200 });
    expect(await mails(other)).toBe(1);
  });

  test('a hosted login sends no email to an undeliverable address', async () => {
    const { email } = await deadUser();
    const before = await mails(email);
    const login = hostedLogin(server);
    await login.toCode(login.browser(), email);
    expect(await mails(email)).toBe(before);
  });

  test('rejecting an email to an undeliverable address causes no additional AWS call', async () => {
    const { email } = await deadUser();
    server.resetMetrics();
    await sendOtp(email);
    expect(Object.values(server.metrics()).map(({ last }) => last.sequential_depth)).toEqual([2]);
  });

  test('entering a code that did arrive at an undeliverable address clears the flag', async () => {
    const { email, userId } = await deadUser();
    const digits = { identifier_type: 'email', identifier: email, passcode: await server.codeTo(email) };
    expect(await backend.post('/v1/auth/otp/authenticate', digits)).toMatchObject({ status: 200 });
    expect(await readEmail(userId)).toEqual({ value: email, email_verified: true });
  });

  test('changing an undeliverable address clears the undeliverable flag', async () => {
    for (const change of [(email: string) => email, () => simulator('success')]) {
      const { email, userId } = await deadUser();
      const given = change(email);
      await backend.put(`/v1/users/${userId}`, { email: given });
      expect(await readEmail(userId)).toEqual({ value: given, email_verified: false });
      expect(await sendOtp(given)).toMatchObject({ status: 200 });
    }
  });

  test('an operator can see and clear the undeliverable flag of an address', async () => {
    const { email, userId } = await deadUser('complaint');
    const { otl } = otlAt(server, 'user');
    expect((await otl('show', userId)).stdout).toContain('(not verified, undeliverable: complaint)');
    expect(await otl('update', userId, '--email', email)).toMatchObject({ code: 0 });
    expect(await readEmail(userId)).toEqual({ value: email, email_verified: false });
  });

  test('changing other fields of a user does not clear the flag of an undeliverable address', async () => {
    const { userId, shown } = await deadUser();
    await backend.put(`/v1/users/${userId}`, { name: { first_name: 'Ann' } });
    expect(await readEmail(userId)).toEqual(shown);
  });
});

test("a bounce from the address in custom_email does not flag the user's own address as undeliverable", async () => {
  const [own, other] = [simulator('success'), simulator('bounce')];
  const userId = await newUser(own);
  expect(await sendOtp(own, { custom_email: other })).toMatchObject({ status: 200 });
  // Waits for the bounce of a later email, so that the bounce of this email must have arrived as well.
  await deadUser();
  expect(await readEmail(userId)).toEqual({ value: own, email_verified: false });
});
