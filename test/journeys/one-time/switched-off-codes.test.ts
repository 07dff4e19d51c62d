// N115, N116: after 100 consecutive failed attempts, a user's codes are disabled until the user logs in by another method.
import { describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_FAILURES } from '../../../shared/domain/basis/limits.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { approveByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { login, newPerson, type Person, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, guessWrong, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { takes } from '../../support/tools/full-run.ts';

const server = useTestServer({ rateLimits: 'off' });

/** Returns true if the timeline reports that the user's codes are disabled (hold `codes_off`). */
async function areOff(userId: string): Promise<boolean> {
  const token = await server.clientToken();
  const { body } = await server.get<{ holds: { reason: string }[] }>(`/v1/users/${userId}/timeline`, {
    token,
  });
  return body.holds.some(({ reason }) => reason === 'codes_off');
}

describe("logins that re-enable a user's disabled codes", () => {
  const ways: readonly (readonly [string, (person: Person, phoneNumber: string) => Promise<unknown>])[] = [
    ['by a login with a code for another identifier', ({ user }) => tokensDirect(server, user.user_id)],
    [
      'by a code-based login',
      async (_, phoneNumber) => {
        const backend = codeBased(server, await server.clientToken());
        return backend.exchange(await codeAt(await backend.resultBySms(phoneNumber)));
      },
    ],
    ['by a passkey login', async (person) => login(server, await registerPasskey(server, person))],
    [
      'when a backend authenticates an existing session',
      async ({ tokens: { session_id } }) =>
        server.post('/v1/auth/session/authenticate', { session_id }, { token: await server.clientToken() }),
    ],
    [
      'by an approval with a device key',
      (person) => approveByDeviceKey(server, person, 'EC', { amount: '1' }),
    ],
  ];

  test.each(ways)('codes disabled after 100 failed attempts are re-enabled %s', async (_, way) => {
    const person = await newPerson(server);
    const { user_id: userId } = person.user;
    const phoneNumber = newPhoneNumber();
    const token = await server.clientToken();
    await server.put(`/v1/users/${userId}`, { phone_number: phoneNumber }, { token });
    const counters = [
      await guessWrong(server, userId, 1),
      await guessWrong(server, userId, PASSCODE_MAX_FAILURES, 'another-browser'),
    ];
    expect(await areOff(userId)).toBe(true);
    await way(person, phoneNumber);
    expect(await areOff(userId)).toBe(false);
    const { guesses, users } = await server.ports(['guesses.count', 'users.find']);
    expect(await users.find(userId)).not.toHaveProperty('wrongGuesses');
    for (const counter of counters) expect(await guesses.count(counter, 1, 0)).toBe(1);
  });
});

test('a user can log in with a correct code after 99 failed attempts', async () => {
  const { user } = await newPerson(server);
  await guessWrong(server, user.user_id, PASSCODE_MAX_FAILURES - 1);
  const token = await server.clientToken();
  const who = { identifier_type: 'user_id', identifier: user.user_id };
  const send = { channel: 'direct', ...who };
  const { body } = await server.post<{ code: string }>('/v1/auth/otp/send', send, { token });
  const authenticate = (more: object) =>
    server.post('/v1/auth/otp/authenticate', { ...who, passcode: body.code, ...more }, { token });
  expect((await authenticate({ session_id: `${user.user_id}.other` })).status).toBe(400);
  expect((await authenticate({})).status).toBe(200);
  expect(await areOff(user.user_id)).toBe(false);
});

describe('hundredth failed attempt of a user in a code-based login', () => {
  const preference = { maxTries: 20, lockMinutes: 1 };

  const channels = ['email', 'SMS'] as const;
  test.each(channels.filter((_, index) => takes(index, channels.length)))(
    'in a code-based login, codes are disabled after the 100th failed attempt by %s',
    async (channel) => {
      const [email, phone_number] = [newEmail(), newPhoneNumber()];
      const { user_id: userId } = await createUser(server, { email, phone_number });
      await withApplication(
        server,
        { loginPreferences: { email: preference, sms: preference } },
        async () => {
          const backend = codeBased(server, await server.clientToken());
          const [send, validate, to] =
            channel === 'email'
              ? [backend.sendEmailOtp, backend.validateEmailOtp, { email }]
              : [backend.sendSmsOtp, backend.validateSmsOtp, { phone_number }];
          for (let failures = 0; failures < PASSCODE_MAX_FAILURES; failures += preference.maxTries) {
            expect(await areOff(userId)).toBe(false);
            await send(to);
            for (let tries = 0; tries < preference.maxTries; tries += 1)
              expect((await validate({ ...to, passcode: '00000000' })).status).toBe(400);
            await server.advanceClock(61);
          }
          expect(await areOff(userId)).toBe(true);
        },
      );
    },
  );
});
