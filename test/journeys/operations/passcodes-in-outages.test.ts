import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';

// Attempts with a passcode while DynamoDB is unavailable. `stores/unanswered-tries` tests lost responses.

const OPERATION = 'authenticateOtp';

let server: TestServer;
let token: string;

beforeAll(async () => {
  // Makes the SDK repeat failed calls without its random delay.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  server = await startTestServer({ rateLimits: 'off', environment: { DATABASE_PATIENCE: '1' } });
  token = await server.clientToken();
});
afterAll(async () => {
  await server.stop();
  jest.restoreAllMocks();
  server.expectNoViolations();
});

async function newPerson() {
  const identifier = newEmail();
  await createProvenUser(server, { email: identifier });
  const named = { identifier_type: 'email', identifier };
  return {
    async send() {
      const fields = { channel: 'direct', ...named };
      return (await server.post<{ code: string }>('/v1/auth/otp/send', fields, { token })).body.code;
    },
    async authenticate(passcode: string) {
      const { status } = await server.post('/v1/auth/otp/authenticate', { ...named, passcode }, { token });
      return { status };
    },
  };
}

test('a used passcode stays consumed if a database outage begins right after its use', async () => {
  const { send, authenticate } = await newPerson();
  const passcode = await send();
  const outage = {
    service: 'dynamodb',
    operation: OPERATION,
    effect: 'error',
    code: 'Throttling',
  } as const;
  // The attempt is counted and the code consumed. Storing the session and restoring the code then fail.
  await server.faults.inject({ ...outage, action: 'UpdateItem', skip: 2 });
  await server.faults.inject({ ...outage, action: 'PutItem' });
  expect(await authenticate(passcode)).toEqual({ status: 503 });
  await server.faults.clear();
  for (let time = 0; time < 4; time += 1) expect(await authenticate(passcode)).toEqual({ status: 400 });
  expect(await authenticate(await send())).toEqual({ status: 200 });
});
