import { expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

// The environment setting RATE_LIMITS=off, which benchmarks use, disables all rate limits.

const server = useTestServer({ rateLimits: 'off' });
const { sendOtp } = useBackend(server);
const send = (identifier: string) => sendOtp({ identifier });

test('with RATE_LIMITS=off, calls and messages are unlimited', async () => {
  const limits = { callsPerMinute: 1, sendsPerMinute: 1, sendsPerDay: 1 };
  await withApplication(server, { rateLimits: limits }, async () => {
    const email = newEmail();
    await createUser(server, { email });
    server.resetMetrics();
    for (let count = 0; count < 7; count += 1) expect((await send(email)).status).toBe(200);
    // Each request only writes its code, and no counter.
    expect(server.metrics().sendOtp?.aws_calls['dynamodb.UpdateItem']).toBe(7);
    const opened = await Promise.all(
      Array.from({ length: 70 }, () => server.get(`${server.url}/v1/auth/link/email/open?code=unknown`)),
    );
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([404]));
  });
});
