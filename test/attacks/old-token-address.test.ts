import { describe, expect, test } from '@jest/globals';
import { mainOf, pagesOf } from '../stories/people.ts';
import { newPerson, type Person, registerPasskey } from '../support/fixtures/passkeys.ts';
import { changeUser, createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { atOnce } from '../support/server/at-once.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/**
 * Attacker: changes the email address of a user, by a stolen session on the profile page of an application; or holds a token of
 * the user, or a client that may change them. Nothing is bound or removed in silence.
 */

const server = useTestServer({ rateLimits: 'off', events: true });
const otl = async (...args: string[]) =>
  expect(await otlWith({ OTL_ENDPOINT: server.url }, args)).toMatchObject({ code: 0 });

const prove = (email: string) => tokensBy(server, 'email', email);

const change = (userId: string, fields: object) => changeUser(server, userId, { ...fields });
const { told, linkTo } = pagesOf(server, mainOf(server));

const press = (path: string) => server.form<string>(path, {});
const headingIn = (html: unknown) => /<h1[^>]*>([^<]*)/.exec(String(html))?.[1];

/** Whose mailbox is proven. */
async function victim(): Promise<Person & { readonly userId: string; readonly address: string }> {
  const person = await newPerson(server);
  return { ...person, userId: person.user.user_id, address: person.email };
}

/** The attacker has the victim's account under an address of their own, and is logged in. */
async function takenOver() {
  const { userId, address } = await victim();
  const attackers = newEmail('attacker');
  await change(userId, { email: attackers });
  const tokens = await prove(attackers);
  return { userId, address, attackers, tokens, link: (await linkTo(address)) ?? '' };
}

const DONE = 'Your email address is back';
const OVER = 'This link was already used';

describe('D: the former address undoes the change', () => {
  test('the attacker’s address is told and has no link to change it back', async () => {
    const { attackers, link } = await takenOver();
    await press(link);
    expect(await linkTo(attackers)).toBeUndefined();
    const [mail] = await server.messages({ to: attackers });
    expect(mail?.subject).toBe('Your email address at Demo was changed back');
  });

  test('a number that was proven stays proven, and other fields stay', async () => {
    const number = newPhoneNumber();
    const { userId, address } = await victim();
    await change(userId, { phone_number: number, name: { first_name: 'Ann' } });
    await change(userId, { email: newEmail() });
    await press((await linkTo(address)) ?? '');
    expect(await findUser(server, userId)).toMatchObject({
      name: { first_name: 'Ann' },
      phone_number: { value: number },
    });
  });

  test('also where an operator changed it, and where the address was only removed', async () => {
    const { userId, address } = await victim();
    await change(userId, { phone_number: newPhoneNumber() });
    const { code } = await otlWith({ OTL_ENDPOINT: server.url }, ['user', 'update', userId, '--email', '']);
    expect(code).toBe(0);
    expect(headingIn((await press((await linkTo(address)) ?? '')).body)).toBe(DONE);
    expect((await findUser(server, userId)).email?.value).toBe(address);
  });
});

describe('D: the link is of no use to others', () => {
  test('opening it changes nothing: a mail scanner opens links', async () => {
    const { userId, attackers, link } = await takenOver();
    for (let times = 0; times < 2; times += 1) {
      const page = await server.get<string>(link, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(headingIn(page.body)).toBe('Bring your email address back at Demo?');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
    await server.get(link, { headers: { 'sec-purpose': 'prefetch' } });
    expect((await findUser(server, userId)).email?.value).toBe(attackers);
    expect(headingIn((await press(link)).body)).toBe(DONE);
  });

  test('it works once, also when it is pressed by many at once', async () => {
    const { userId, link } = await takenOver();
    const pressed = await atOnce(8, () => press(link));
    expect(pressed.filter(({ body }) => headingIn(body) === DONE)).toHaveLength(1);
    expect((await press(link)).status).toBe(400);
    // An old mail must not undo what the user changed since.
    const next = newEmail();
    await change(userId, { email: next });
    expect(headingIn((await press(link)).body)).toBe(OVER);
    expect((await findUser(server, userId)).email?.value).toBe(next);
  });
});

async function addDeviceKey({ tokens }: Person): Promise<string> {
  const json = { public_key: newKey().jwk, name: 'Phone' };
  const token = tokens.access_token;
  const answer = await server.post<{ result: { key_id: string } }>('/v1/auth/device-keys', json, { token });
  return answer.body.result.key_id;
}

const passkeyPath = ({ user }: Person, id: Buffer) =>
  `/v1/users/${user.user_id}/webauthn-credentials/${id.toString('base64url')}`;

/** Subjects of the mails to an address, and the texts to a number, that hold no code. */
const toldTo = async (to: string) =>
  (await told(to)).map(({ subject, text }) => subject ?? text).toReversed();

const PASSKEY_ADDED = 'A passkey was added at Demo';
const PASSKEY_REMOVED = 'A passkey was removed at Demo';
const DEVICE_ADDED = 'A device was added at Demo';
const DEVICE_REMOVED = 'A device was removed at Demo';

describe('A4: a mail tells the owner of the mailbox', () => {
  test('of a passkey that a stolen token adds, and that a client removes', async () => {
    const victim = await newPerson(server);
    const { id } = await registerPasskey(server, victim);
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED]);
    await server.delete(passkeyPath(victim, id), { token: await server.clientToken() });
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED, PASSKEY_REMOVED]);
  });

  test('of what an operator does by the command line', async () => {
    const victim = await newPerson(server);
    const { user_id } = victim.user;
    const keyId = await addDeviceKey(victim);
    const { id } = await registerPasskey(server, victim);
    await otl('passkey', 'delete', id.toString('base64url'), '--user', user_id, '--yes');
    await otl('device-key', 'delete', keyId, '--user', user_id, '--yes');
    await otl('user', 'update', user_id, '--phone-number', newPhoneNumber());
    expect((await toldTo(victim.email)).toSorted()).toEqual(
      [
        DEVICE_ADDED,
        PASSKEY_ADDED,
        DEVICE_REMOVED,
        PASSKEY_REMOVED,
        'A phone number was added at Demo',
      ].toSorted(),
    );
  });
});

describe('A4: where no address is proven, a text message tells the owner of the number', () => {
  async function phonePerson(): Promise<Person & { readonly number: string }> {
    const number = newPhoneNumber();
    const user = await createUser(server, { phone_number: number });
    return { user, number, email: '', tokens: await tokensBy(server, 'sms', number) };
  }

  test('of a passkey and of a first address', async () => {
    const victim = await phonePerson();
    await registerPasskey(server, victim);
    await change(victim.user.user_id, { email: newEmail() });
    const text = 'The ways to sign in to your Demo account were changed. Not you? Contact Demo.';
    expect(await toldTo(victim.number)).toEqual([text, text]);
  });
});

test('A4: each address is told once, also when the attacker changes it again and again', async () => {
  const victim = await newPerson(server);
  for (const email of [newEmail(), newEmail(), newEmail()]) {
    await change(victim.user.user_id, { email });
    await server.settleEvents();
  }
  expect(await toldTo(victim.email)).toEqual(['Your email address at Demo was changed']);
});

test('A4: a changed email address is told at the old one too, whatever the application has switched off', async () => {
  const notices = { contact_changed: false, credentials_changed: false };
  await otl('application', 'update', server.environment.app_id, '--notices', JSON.stringify(notices));
  await server.advanceClock(61);
  const victim = await newPerson(server);
  await registerPasskey(server, victim);
  const next = newEmail('attacker');
  await change(victim.user.user_id, { email: next });
  expect(await toldTo(victim.email)).toEqual(['Your email address at Demo was changed']);
  expect(await toldTo(next)).toEqual([]);
});
