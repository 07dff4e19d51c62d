// Log lines of logins through the API. They contain the facts by which operators find the attempts of a user.
import { expect, test } from '@jest/globals';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { approveByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { login, newPerson, type Person, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, newPhoneNumber } from '../../support/fixtures/people.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

const server = useTestServer({ rateLimits: 'off' });
const { post, get, put, delete: remove, bearer, sendOtp, authenticateOtp } = useBackend(server);
const sectionC = codeBased(server, () => bearer().token);

const masked = 'p•••@e•••.com';
const redirect = () => ({ redirect_uri: server.environment.redirect_uris[0] });

/** Logs a user in with a magic link that is sent through the channel. */
async function byLink(channel: 'email' | 'direct', identifier: string) {
  const fields = { ...redirect(), channel, identifier_type: 'email', identifier };
  const { body } = await post<{ link: string }>('/v1/auth/link/email/send', fields);
  const code = await codeAt(channel === 'direct' ? body.link : await server.linkTo(identifier));
  await post('/v1/auth/link/email/authenticate', { code });
}

type Line = readonly [event: string, facts?: Readonly<Record<string, unknown>>];

test.each<[string, (person: Person, phone: string) => Promise<unknown>, readonly Line[]]>([
  [
    'a one-time code by email',
    async ({ email: identifier }) => {
      await sendOtp({ identifier, channel: 'email' });
      await authenticateOtp({ identifier, passcode: await server.codeTo(identifier) });
    },
    [
      ['one-time/send-otp', { channel: 'email', sent: 'email', recipient: masked }],
      ['one-time/authenticate-otp', { channel: 'email', verified: 'email', method: 'eotp' }],
    ],
  ],
  [
    'a one-time code that the backend receives',
    async ({ email: identifier }) => {
      const { body } = await sendOtp({ identifier });
      await authenticateOtp({ identifier, passcode: body.code });
    },
    [
      ['one-time/send-otp', { channel: 'direct', sent: 'direct' }],
      ['one-time/authenticate-otp', { channel: 'direct', verified: 'direct', method: 'otp' }],
    ],
  ],
  [
    'a one-time code to another address',
    ({ email: identifier }) => sendOtp({ identifier, channel: 'email', custom_email: 'zoe@zoo.example.com' }),
    [['one-time/send-otp', { channel: 'email', sent: 'email', recipient: 'z•••@z•••.com' }]],
  ],
  [
    'a magic link by email',
    ({ email }) => byLink('email', email),
    [
      ['one-time/send-magic-link', { channel: 'email', sent: 'link', recipient: masked }],
      ['one-time/open-magic-link'],
      ['one-time/authenticate-magic-link', { channel: 'email', verified: 'link', method: 'eml' }],
    ],
  ],
  [
    'a magic link that the backend receives',
    ({ email }) => byLink('direct', email),
    [
      ['one-time/send-magic-link', { channel: 'direct', sent: 'direct', recipient: masked }],
      ['one-time/open-magic-link'],
      ['one-time/authenticate-magic-link', { channel: 'direct', verified: 'direct', method: 'otp' }],
    ],
  ],
  [
    'a code-based login by email',
    async ({ email }) => sectionC.exchange(await codeAt(await sectionC.resultByEmail(email))),
    [
      ['code-based/send-email-otp', { channel: 'email', sent: 'email', recipient: masked }],
      ['code-based/validate-email-otp', { channel: 'email', verified: 'email', method: 'eotp' }],
      ['code-based/resume'],
      ['tokens/retrieve-tokens', { method: 'eotp' }],
    ],
  ],
  [
    'a code-based login by SMS',
    (_, phone) => sectionC.resultBySms(phone),
    [
      ['code-based/send-sms-otp', { channel: 'sms', sent: 'sms', recipient: expect.any(String) }],
      ['code-based/validate-sms-otp', { channel: 'sms', verified: 'sms', method: 'sms' }],
    ],
  ],
  [
    'a code-based login by link',
    async ({ email }) => {
      await sectionC.sendLink({ email });
      await sectionC.exchange(await codeAt(await server.linkTo(email)));
    },
    [
      ['code-based/send-link', { channel: 'email', sent: 'link', recipient: masked }],
      ['code-based/open-link'],
      ['tokens/retrieve-tokens', { verified: 'link', method: 'eml' }],
    ],
  ],
  [
    'a passkey that is used, renamed and removed',
    async (person) => {
      const passkey = await registerPasskey(server, person);
      await login(server, passkey);
      const path = `/v1/users/${person.user.user_id}/webauthn-credentials`;
      await get(path);
      await put(`${path}/${passkey.id.toString('base64url')}`, { name: 'Phone' });
      await remove(`${path}/${passkey.id.toString('base64url')}`);
    },
    [
      ['passkeys/start-registration'],
      ['passkeys/register'],
      ['passkeys/start-login', { user_id: '' }],
      ['passkeys/authenticate', { method: 'webauthn' }],
      ['passkeys/list'],
      ['passkeys/rename'],
      ['passkeys/delete'],
    ],
  ],
  [
    'an approval by a device key',
    (person) => approveByDeviceKey(server, person, 'EC', { amount: '5' }),
    [
      ['approvals/create-device-key'],
      ['approvals/start'],
      ['approvals/authenticate', { method: 'webauthn' }],
    ],
  ],
])('the log lines of %s contain the user and the login method', async (_, happen, expected) => {
  const phone = newPhoneNumber();
  const person = await newPerson(server, (_, fields) =>
    createUser(server, { ...fields, phone_number: phone }),
  );
  const lines = await logLines(async () => void (await happen(person, phone)));
  const facts = lines
    .filter(({ event }) => event !== 'tokens/token')
    .map(({ event, client_id, user_id = '', channel, sent, verified, recipient, method }) => ({
      ...{ event, client_id, user_id, channel, sent, verified, recipient, method },
    }));
  const { client_id } = server.environment;
  const { user_id } = person.user;
  expect(facts).toEqual(expected.map(([event, more]) => ({ event, client_id, user_id, ...more })));
});
