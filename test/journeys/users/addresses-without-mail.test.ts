// Email addresses that Amazon SES cannot send to, because the part before the @ has characters outside ASCII.
import { describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/domain/basis/random.ts';
import {
  FIRST_GENERATION,
  PROVEN_GENERATIONS,
  TENANT_WIDE,
} from '../../../shared/domain/trust/generations.ts';
import { buildBlankUser, putUser } from '../../../shared/domain/users/create-user.ts';
import { createNoticePages, createPeople, findMainApplication } from '../../stories/people.ts';
import { demoTenant } from '../../support/fixtures/application.ts';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { leftTo, readHeading, readPageError, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { createProvenUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useBackend } from '../../support/tools/backend.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off', events: true });
const backend = useBackend(server);
const main = findMainApplication(server);
const { supportFor } = createPeople(server, main);
const { linkTo, press } = createNoticePages(server, main);
const sectionC = codeBased(server, () => backend.bearer().token);

const newUnmailable = () => newEmail('zoë');
const refused = (field: string) => ({
  status: 400,
  body: { message: expect.stringMatching(`^${field}: cannot get mail`) },
});
/** Returns the address in full-width characters, as typed with a Japanese input method. */
const fullWidth = (email: string) =>
  email.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** Stores a user whose address cannot receive email, as earlier releases allowed. */
async function storedUser(email: string, phone?: string) {
  const ports = await server.ports(['userRecords', 'identifierReservations']);
  const [userId, at] = [newId(), Math.floor(Date.now() / 1000)];
  const made = { applications: [server.environment.app_id], generations: PROVEN_GENERATIONS };
  const blank = buildBlankUser(await demoTenant(server), userId, at, made);
  const trust = { standing: 'proven', scope: TENANT_WIDE, generation: FIRST_GENERATION, since: at } as const;
  const phoneNumber = phone === undefined ? undefined : { value: phone, ...trust };
  await putUser(ports, { ...blank, email: { value: email, ...trust }, ...(phoneNumber && { phoneNumber }) });
  return userId;
}

describe('address that cannot receive email', () => {
  test('an address that cannot receive email is rejected when a user is created or changed', async () => {
    expect(await backend.post('/v1/users', { email: newUnmailable() })).toMatchObject(refused('email'));
    const { user_id } = await createProvenUser(server, { email: newEmail() });
    const changed = await backend.put(`/v1/users/${user_id}`, { email: newUnmailable() });
    expect(changed).toMatchObject(refused('email'));
  });

  test('an address that cannot receive email is rejected during a sign-up with a code or link', async () => {
    for (const send of [sectionC.sendEmailOtp, sectionC.sendLink])
      expect(await send({ email: newUnmailable(), create_new_user: true })).toMatchObject({
        status: 400,
        body: { message: [expect.stringMatching(/^email: cannot get mail/)] },
      });
  });

  test('an address that cannot receive email is rejected in the field custom_email', async () => {
    const { email } = await createProvenUser(server, { email: newEmail() });
    const asked = { channel: 'email', identifier_type: 'email', identifier: email?.value };
    const sent = await backend.post('/v1/auth/otp/send', { ...asked, custom_email: newUnmailable() });
    expect(sent).toMatchObject(refused('custom_email'));
  });

  test('an address that cannot receive email is rejected on the login page and the account page', async () => {
    const known = newUnmailable();
    await storedUser(known);
    for (const typed of [known, newUnmailable()]) {
      const page = await login.browser().open(login.address({ createNewUser: 'true' }));
      const answer = await page.submit({ identifier: typed, method: 'email' });
      expect(readPageError(answer)).toMatch(/^We can’t send email to this address/);
    }
    const email = newEmail();
    await createProvenUser(server, { email });
    const account = await createAccountActions(server, login).open(email, login.browser());
    const answer = await (await account.submit({}, 'account/email')).submit({ identifier: newUnmailable() });
    expect(readPageError(answer)).toMatch(/^We can’t send email to this address/);
  });
});

test('an existing user with an address that cannot receive email can still be found and changed', async () => {
  const email = newUnmailable();
  const userId = await storedUser(email);
  expect((await findUser(server, userId)).email).toMatchObject({ value: email });
  const found = await backend.get(`/v1/users?q=${encodeURIComponent(email)}`);
  expect(found).toMatchObject({ status: 200, body: { result: [{ user_id: userId }] } });
  expect((await backend.sendOtp({ identifier: email })).status).toBe(200);
  expect((await backend.put(`/v1/users/${userId}`, { email, language: 'de' })).status).toBe(200);
  expect((await backend.put(`/v1/users/${userId}`, { email: newEmail() })).status).toBe(200);
  expect((await backend.delete(`/v1/users/${userId}`)).status).toBe(204);
  expect(await dumpTable('directory')).not.toContain(userId);
});

test('the user can undo support’s change of an address that cannot receive email, by a link in a text message', async () => {
  const [email, phone] = [newUnmailable(), newPhoneNumber()];
  const userId = await storedUser(email, phone);
  expect((await (await supportFor(userId)).set({ email: newEmail() })).status).toBe(200);
  await press(await linkTo(phone));
  expect((await findUser(server, userId)).email).toMatchObject({ value: email });
});

test('an address in full-width letters is treated as the same address in ASCII', async () => {
  const email = newEmail();
  const page = await login.browser().open(login.address({ createNewUser: 'true' }));
  const code = await page.submit({ identifier: fullWidth(email), method: 'email' });
  expect(readHeading(code)).toBe('Check your email');
  await login.exchange(leftTo(await code.submit({ passcode: await server.codeTo(email) })));
  const made = await backend.post<{ result: { email: unknown } }>('/v1/users', {
    email: fullWidth(newEmail()),
  });
  expect(made).toMatchObject({
    status: 201,
    body: { result: { email: { value: expect.stringMatching(/^[!-~]+$/) } } },
  });
  const asked = { channel: 'email', identifier_type: 'email', identifier: fullWidth(email) };
  expect((await backend.post('/v1/auth/otp/send', asked)).status).toBe(200);
});
