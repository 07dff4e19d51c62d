import { describe, expect, test } from '@jest/globals';
import { codeBased, open, redirectOf } from '../support/fixtures/code-based.ts';
import { claimsOf, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, findUser, newEmail, newPhoneNumber, type WireUser } from '../support/fixtures/people.ts';
import { logInBy, tokensBy } from '../support/fixtures/tokens.ts';
import { otlWith } from '../support/server/otl.ts';
import { refresh } from '../support/tools/authorized.ts';
import { isFull } from '../support/tools/full-run.ts';

/** Ordinary backends, and the people who work with them: what stops attackers must not stop them. */

const { server, login } = useHostedLogin();

const subOf = ({ id_token }: { readonly id_token: string }) => claimsOf(id_token).sub;
const change = async (userId: string, fields: object, token?: string) => {
  const as = token ?? (await server.clientToken());
  return server.put<{ result: WireUser }>(`/v1/users/${userId}`, fields, { token: as });
};

/** A user who has logged in by mail. */
async function customer(fields: object = {}) {
  const email = newEmail('customer');
  const { user_id: userId } = await createUser(server, { email, ...fields });
  await tokensBy(server, 'email', email);
  return { email, userId };
}

describe('a changed address', () => {
  test('15 a new mailbox, entered on the profile page: its first login is of the same user', async () => {
    const { email, userId } = await customer();
    const mailbox = newEmail('new');
    expect((await change(userId, { email: mailbox })).status).toBe(200);
    expect(subOf(await tokensBy(server, 'email', mailbox))).toBe(userId);
    expect((await findUser(server, userId)).email).toEqual({ value: mailbox, email_verified: true });
    const token = await server.clientToken();
    const send = { channel: 'email', identifier_type: 'email', identifier: email };
    expect((await server.post('/v1/auth/otp/send', send, { token })).status).toBe(404);
  });

  test('16 a new number: a code by text proves it, of the same user', async () => {
    const [old, number] = [newPhoneNumber(), newPhoneNumber()];
    const { userId } = await customer({ phone_number: old });
    expect(subOf(await tokensBy(server, 'sms', old))).toBe(userId);
    expect((await change(userId, { phone_number: number })).status).toBe(200);
    expect(subOf(await tokensBy(server, 'sms', number))).toBe(userId);
    const { phone_number } = await findUser(server, userId);
    expect(phone_number).toEqual({ value: number, phone_number_verified: true });
  });

  test('17 a support person changes the address of a user with roles, who logs in by it', async () => {
    const admin = await server.adminToken();
    const { app_id } = server.environment;
    await server.put(
      `/v1/applications/${app_id}`,
      { roles: [{ name: 'buyer', permissions: [] }] },
      { token: admin },
    );
    const { userId } = await customer();
    expect((await change(userId, { roles: ['buyer'] }, admin)).status).toBe(200);
    const mailbox = newEmail('new');
    expect((await change(userId, { email: mailbox }, admin)).status).toBe(200);
    const { access_token, id_token } = await tokensBy(server, 'email', mailbox);
    expect([claimsOf(id_token).sub, claimsOf(access_token).roles]).toEqual([userId, ['buyer']]);
  });

  test('18 a backend changes an address and sends a code to it, in one go', async () => {
    const { userId } = await customer();
    const token = await server.clientToken();
    const mailbox = newEmail('new');
    expect((await change(userId, { email: mailbox }, token)).status).toBe(200);
    const who = { identifier_type: 'user_id', identifier: userId };
    const send = { ...who, channel: 'email', generate_request_id: true };
    const { body } = await server.post<{ request_id: string }>('/v1/auth/otp/send', send, { token });
    const passcode = await server.codeTo(mailbox);
    const typed = { ...who, passcode, request_id: body.request_id };
    const done = await server.post<{ id_token: string }>('/v1/auth/otp/authenticate', typed, { token });
    expect([done.status, subOf(done.body)]).toEqual([200, userId]);
    expect((await findUser(server, userId)).email?.email_verified).toBe(true);
  });
});

const IMPORTED = isFull ? 1000 : 100;

test(`19 an import of ${IMPORTED} unverified users: each logs in by a code, and is verified then`, async () => {
  const [year, count] = [newEmail('import').split('@')[0], IMPORTED];
  const addressOf = (index: number) => `${year}.${index}@example.com`;
  const rows = Array.from({ length: count }, (_, index) => JSON.stringify({ email: addressOf(index) }));
  const otl = await otlWith(
    { OTL_ENDPOINT: server.url },
    ['user', 'import', '-', '--json'],
    `${rows.join('\n')}\n`,
  );
  expect(JSON.parse(otl.stdout)).toMatchObject({ created: count, failed: 0 });
  for (const index of [0, count / 2, count - 1]) {
    const claims = claimsOf((await tokensBy(server, 'email', addressOf(index))).id_token);
    expect(claims).toMatchObject({ email: addressOf(index), email_verified: true, new_user: true });
  }
  const second = claimsOf((await tokensBy(server, 'email', addressOf(0))).id_token);
  expect(second).toMatchObject({ email_verified: true, new_user: false });
}, 300_000);

describe('the days of an application', () => {
  test('20 a web application refreshes all day, and two tabs at once stay logged in', async () => {
    const { email, userId } = await customer();
    const begun = await login.exchange(
      await login.logIn(login.browser(), email, { scope: 'openid offline_access', prompt: 'consent' }),
    );
    let token = begun.body.refresh_token;
    for (let hour = 0; hour < 8; hour += 1) {
      await server.advanceClock(3600);
      const tabs = await Promise.all([refresh(server, token), refresh(server, token)]);
      expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
      const [first, second] = tabs.map(({ body }) => body.refresh_token);
      expect(first).toBe(second);
      expect(subOf(tabs[0]?.body ?? begun.body)).toBe(userId);
      token = first ?? '';
    }
  });

  test('21 a shop without hosted pages: a link that comes back with its state', async () => {
    const { email, userId } = await customer();
    const shop = codeBased(server, await server.clientToken());
    await shop.sendLink({ email, state: 'cart-7', nonce: 'n-7' });
    const arrival = await redirectOf(open(await server.linkTo(email)));
    expect(arrival.searchParams.get('state')).toBe('cart-7');
    const { body } = await shop.exchange(arrival.searchParams.get('code') ?? '');
    expect(claimsOf(body.id_token)).toMatchObject({ sub: userId, nonce: 'n-7' });
  });

  test('22 a swapped SIM: the bank reports it, mail goes on, and a new number texts again', async () => {
    const [old, number] = [newPhoneNumber(), newPhoneNumber()];
    const { email, userId } = await customer({ phone_number: old });
    const token = await server.clientToken();
    const risk = await server.put(`/v1/users/${userId}/phone-risk`, { signal: 'sim_swap' }, { token });
    expect(risk.status).toBe(200);
    expect(subOf(await tokensBy(server, 'email', email))).toBe(userId);
    await expect(logInBy(server, 'sms', old)).rejects.toThrow('external_provider_configuration_error');
    await change(userId, { phone_number: number });
    expect(subOf(await tokensBy(server, 'sms', number))).toBe(userId);
  });

  test('23 an erased user comes back, as a new one', async () => {
    const { email, userId } = await customer();
    const token = await server.clientToken();
    expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
    const again = await createUser(server, { email });
    expect(again.user_id).not.toBe(userId);
    expect(subOf(await tokensBy(server, 'email', email))).toBe(again.user_id);
  });
});
