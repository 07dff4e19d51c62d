// While DynamoDB or KMS is slow, or KMS is unavailable around midnight, responses arrive in time and credentials stay valid.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { exchange, storeNewCode } from '../../support/tools/authorized.ts';

const DAY_SECONDS = 86_400;
const now = () => Math.floor(Date.now() / 1000);

let server: TestServer;
let token: string;

/**
 * True if the tests run the deployed bundles, whose time limits the local server cannot change during a fault.
 */
const { isBundled } = globalThis as unknown as { readonly isBundled?: boolean };

beforeAll(async () => {
  server = await startTestServer({
    rateLimits: 'off',
    ...(isBundled && { environment: { DATABASE_PATIENCE: '1' } }),
  });
  token = await server.clientToken();
});
afterAll(async () => {
  await server.stop();
  server.expectNoViolations();
});

async function newAddress(): Promise<string> {
  const email = newEmail();
  await createProvenUser(server, { email });
  return email;
}

async function timed<T>(run: () => Promise<T>): Promise<{ answer: T; milliseconds: number }> {
  const from = performance.now();
  return { answer: await run(), milliseconds: performance.now() - from };
}

describe('API responses while AWS calls are slow', () => {
  test('DynamoDB calls that take 5 s cause a 503 response within 10 s', async () => {
    const identifier = await newAddress();
    const named = { identifier_type: 'email', identifier };
    const code = await storeNewCode(server);
    const page = await hostedLogin(server).toCode(hostedLogin(server).browser(), identifier);
    const requests: readonly (() => Promise<{ status: number; headers?: Headers; body?: unknown }>)[] = [
      () => server.post('/v1/auth/otp/send', { channel: 'direct', ...named }, { token }),
      () => server.post('/v1/auth/otp/authenticate', { ...named, passcode: '123456' }, { token }),
      () => exchange(server, code),
      () => codeBased(server, token).sendEmailOtp({ email: identifier }),
      () => page.submit({ passcode: '123456' }),
    ];
    // No function has cached its configuration yet, so the measured time includes reading the configuration.
    await server.faults.inject({ service: 'dynamodb', effect: 'latency', latency_ms: 5000 });
    const answers = await Promise.all(requests.map(timed));
    await server.faults.clear();
    expect(answers.map(({ answer: { status } }) => status)).toEqual([503, 503, 503, 503, 503]);
    for (const { answer, milliseconds } of answers) {
      expect(milliseconds).toBeLessThan(10_000);
      if (answer.headers) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(answers[2]?.answer.body).toMatchObject({ error: 'temporarily_unavailable' });
  });

  test('an authorization code stays valid if slow KMS calls make its exchange fail with 503', async () => {
    const code = await storeNewCode(server);
    await exchange(server, await storeNewCode(server));
    await server.faults.inject({ service: 'kms', effect: 'latency', latency_ms: 5000 });
    const { answer, milliseconds } = await timed(() => exchange(server, code));
    await server.faults.clear();
    expect(answer.status).toBe(503);
    expect(milliseconds).toBeLessThan(4000);
    expect((await exchange(server, code)).status).toBe(200);
  });
});

test('users can log in with passcodes during a KMS outage around midnight', async () => {
  const sectionC = () => codeBased(server, token);
  const midnight = (Math.floor(now() / DAY_SECONDS) + 2) * DAY_SECONDS;
  const wait = async (seconds: number) => {
    await server.advanceClock(seconds);
    token = await server.clientToken();
  };
  await wait(midnight - 1800 - now());
  const send = async () => {
    const email = await newAddress();
    expect((await sectionC().sendEmailOtp({ email })).status).toBe(200);
    return { email, passcode: await server.codeTo(email) };
  };
  // Warms the container up, because a container that runs shortly before midnight also fetches the key of the next day.
  expect((await sectionC().validateEmailOtp(await send())).status).toBe(200);
  await wait(1740);
  const old = await send();
  await wait(120);
  await server.faults.inject({ service: 'kms', action: 'GenerateMac', effect: 'error', code: 'Throttling' });
  const fresh = await send();
  const answers = [await sectionC().validateEmailOtp(old), await sectionC().validateEmailOtp(fresh)];
  await server.faults.clear();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
