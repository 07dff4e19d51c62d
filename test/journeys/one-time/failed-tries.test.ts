import { describe, expect, test } from '@jest/globals';
import { PASSCODE_LOCK_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { otherDigits } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

const server = useTestServer();
const { connect, sendOtp: send, authenticateOtp: authenticate, sentTo } = useBackend(server);

describe('counting failed attempts with a code', () => {
  test('N114: requesting another code does not reset the number of failed attempts', async () => {
    const email = newEmail();
    const first = await sentTo(email);
    await authenticate({ identifier: email, passcode: otherDigits(first) });
    await authenticate({ identifier: email, passcode: otherDigits(first) });
    const second = (await send({ identifier: email })).body.code;
    const third = await authenticate({ identifier: email, passcode: otherDigits(second) });
    expect(third.body.error_code).toBe('auth_invalid_credentials');
    const locked = await authenticate({ identifier: email, passcode: second });
    expect(locked).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
  });

  test('the error for a locked-out user contains the end of the lockout', async () => {
    const email = newEmail();
    const first = await sentTo(email);
    for (let attempt = 1; attempt <= 3; attempt += 1)
      await authenticate({ identifier: email, passcode: otherDigits(first) });
    const { code } = (await send({ identifier: email })).body;
    const locked = await authenticate({ identifier: email, passcode: code });
    expect(locked).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
    const seconds = Number(locked.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(PASSCODE_LOCK_MINUTES * 60);
    const [end = ''] = /\d{4}-\S+Z/.exec(locked.body.message ?? '') ?? [];
    expect(Math.abs(Date.parse(end) - Date.now() - seconds * 1000)).toBeLessThan(5000);
    await server.advanceClock(seconds);
    await connect();
    const next = (await send({ identifier: email })).body.code;
    expect((await authenticate({ identifier: email, passcode: next })).status).toBe(200);
  });

  test('attempts of a user who has no code are not counted', async () => {
    const email = newEmail();
    await createUser(server, { email });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const failed = await authenticate({ identifier: email, passcode: '000000' });
      expect(failed).toMatchObject({ status: 400, body: { error_code: 'auth_invalid_credentials' } });
    }
    const unknown = await authenticate({ identifier: newEmail(), passcode: '000000' });
    expect(unknown).toMatchObject({ status: 400, body: { error_code: 'auth_invalid_credentials' } });
  });

  test('N110: wrong digits count as a failed attempt even after the code has expired', async () => {
    const email = newEmail();
    const passcode = await sentTo(email);
    await server.advanceClock(5 * 60);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const expired = await authenticate({ identifier: email, passcode });
      expect(expired).toMatchObject({ status: 400, body: { error_code: 'auth_otp_passcode_expired' } });
    }
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const failed = await authenticate({ identifier: email, passcode: otherDigits(passcode) });
      expect(failed.body.error_code).toBe('auth_invalid_credentials');
    }
    expect((await authenticate({ identifier: email, passcode })).body.error_code).toBe('auth_locked');
  });

  test('a code is accepted after midnight, although the key of its MAC changes daily', async () => {
    const [email, day] = [newEmail(), 24 * 60 * 60];
    await server.advanceClock(day - ((Date.now() / 1000) % day) - 60);
    await connect();
    const passcode = await sentTo(email);
    await server.advanceClock(120);
    expect((await authenticate({ identifier: email, passcode })).status).toBe(200);
  });

  test('the field expires_in sets the lifetime of a code in minutes and may be fractional', async () => {
    const email = newEmail();
    const passcode = await sentTo(email, { expires_in: 0.5 });
    await server.advanceClock(31);
    expect((await authenticate({ identifier: email, passcode })).body.error_code).toBe(
      'auth_otp_passcode_expired',
    );
    for (const expires_in of [0, -1, 61]) {
      const refused = await send({ identifier: email, expires_in });
      expect(refused).toMatchObject({ status: 400, body: { error_code: 'system_invalid_input' } });
      expect(refused.body.message).toContain('expires_in');
    }
  });

  test('a correct code with a wrong organization, session or resource does not count as a failed attempt', async () => {
    const email = newEmail();
    const passcode = await sentTo(email);
    for (let round = 0; round < 2; round += 1)
      for (const [field, message] of [
        ['org_id', 'User is not a member of the organization'],
        ['session_id', 'Session not found'],
        ['resource', 'Resource not found'],
      ] as const) {
        const refused = await authenticate({
          identifier: email,
          passcode,
          [field]: 'https://unknown.example',
        });
        expect(refused).toMatchObject({ status: 400, body: { error_code: 'system_invalid_input', message } });
      }
    expect((await authenticate({ identifier: email, passcode })).status).toBe(200);
  });
});
