import { describe, expect, test } from '@jest/globals';
import { type Person, registerPasskey } from '../support/fixtures/passkeys.ts';
import { changeUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/** Attacker: holds a token of the user, or a client that may change them. Nothing is bound or removed in silence. */

const server = useTestServer({ rateLimits: 'off', events: true });

type Fields = Readonly<Record<string, unknown>>;

async function provenPerson(fields: Fields = {}): Promise<Person> {
  const email = newEmail('victim');
  const user = await createUser(server, { email, ...fields });
  return { user, email, tokens: await tokensBy(server, 'email', email) };
}

const change = ({ user }: Pick<Person, 'user'>, fields: Fields) => changeUser(server, user.user_id, fields);

async function addDeviceKey({ tokens }: Person): Promise<string> {
  const json = { public_key: newKey().jwk, name: 'Phone' };
  const token = tokens.access_token;
  const answer = await server.post<{ result: { key_id: string } }>('/v1/auth/device-keys', json, { token });
  return answer.body.result.key_id;
}

async function otl(...args: string[]): Promise<void> {
  expect(await otlWith({ OTL_ENDPOINT: server.url }, args)).toMatchObject({ code: 0 });
}

const passkeyPath = ({ user }: Person, id: Buffer) =>
  `/v1/users/${user.user_id}/webauthn-credentials/${id.toString('base64url')}`;

/** Subjects of the mails to an address, and the texts to a number, that hold no code. */
async function toldTo(to: string): Promise<readonly string[]> {
  await server.settleEvents();
  const messages = await server.messages({ to });
  return messages
    .filter(({ codes }) => codes.length === 0)
    .map(({ subject, text }) => subject ?? text)
    .toReversed();
}

const PASSKEY_ADDED = 'A passkey was added at Demo';
const PASSKEY_REMOVED = 'A passkey was removed at Demo';
const DEVICE_ADDED = 'A device was added at Demo';
const DEVICE_REMOVED = 'A device was removed at Demo';

describe('A4: a mail tells the owner of the mailbox', () => {
  test('of a passkey that a stolen token adds, and that a client removes', async () => {
    const victim = await provenPerson();
    const { id } = await registerPasskey(server, victim);
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED]);
    await server.delete(passkeyPath(victim, id), { token: await server.clientToken() });
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED, PASSKEY_REMOVED]);
  });

  test('of what an operator does by the command line', async () => {
    const victim = await provenPerson();
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
    await change(victim, { email: newEmail() });
    const text = 'The ways to sign in to your Demo account were changed. Not you? Contact Demo.';
    expect(await toldTo(victim.number)).toEqual([text, text]);
  });
});

test('A4: each address is told once, also when the attacker changes it again and again', async () => {
  const victim = await provenPerson();
  for (const email of [newEmail(), newEmail(), newEmail()]) {
    await change(victim, { email });
    await server.settleEvents();
  }
  expect(await toldTo(victim.email)).toEqual(['Your email address at Demo was changed']);
});

test('A4: a changed email address is told at the old one too, whatever the application has switched off', async () => {
  const notices = { contact_changed: false, credentials_changed: false };
  await otl('application', 'update', server.environment.app_id, '--notices', JSON.stringify(notices));
  await server.advanceClock(61);
  const victim = await provenPerson();
  await registerPasskey(server, victim);
  const next = newEmail('attacker');
  await change(victim, { email: next });
  expect(await toldTo(victim.email)).toEqual(['Your email address at Demo was changed']);
  expect(await toldTo(next)).toEqual([]);
});
