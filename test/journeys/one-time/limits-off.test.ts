import { expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { otherDigits } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

/** RATE_LIMITS=off, for benchmarks: no window limits. The tries of a code are not a window and stay limited. */

const server = useTestServer({ rateLimits: 'off' });
const { sendOtp, authenticateOtp } = useBackend(server);
const send = (identifier: string) => sendOtp({ identifier });
const authenticate = (identifier: string, passcode: string) => authenticateOtp({ identifier, passcode });

test('calls, sends and opened links are not limited, and no window is written', async () => {
  const limits = { callsPerMinute: 1, sendsPerMinute: 1, sendsPerDay: 1 };
  await withApplication(server, { rateLimits: limits }, async () => {
    const email = newEmail();
    await createUser(server, { email });
    server.resetMetrics();
    for (let count = 0; count < 7; count += 1) expect((await send(email)).status).toBe(200);
    // The code's own write is the only one.
    expect(server.metrics().sendOtp?.aws_calls['dynamodb.UpdateItem']).toBe(7);
    const opened = await Promise.all(
      Array.from({ length: 70 }, () => server.get(`${server.url}/v1/auth/link/email/open?code=unknown`)),
    );
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([404]));
  });
});

test('failed tries still count and lock', async () => {
  const email = newEmail();
  await createUser(server, { email });
  const { code = '' } = (await send(email)).body;
  for (let count = 0; count < 3; count += 1)
    expect((await authenticate(email, otherDigits(code))).body.error_code).toBe('auth_invalid_credentials');
  expect(await authenticate(email, code)).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
  const next = (await send(email)).body.code ?? '';
  expect(await authenticate(email, next)).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
});
