import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { isFull } from '../../support/tools/full-run.ts';

/** What becomes of a passcode that is tried while DynamoDB loses answers or is gone. */

const OPERATION = 'authenticateOtp';

let server: TestServer;
let token: string;

beforeAll(async () => {
  // The SDK waits a random time before it repeats a call; here none.
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

const won = (answers: readonly { readonly status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

/** Tries at once, and the answers to DynamoDB's updates that are lost meanwhile. */
const STORMS = [
  [2, 3],
  [2, 5],
  [2, 8],
  [3, 12],
  [8, 20],
] as const;

test.each(STORMS)(
  'a passcode tried %i times at once, with %i lost answers, logs in once',
  async (tries, times) => {
    const complaints: string[] = [];
    for (let round = 0; round < (isFull ? 8 : 3); round += 1) {
      const { send, authenticate } = await newPerson();
      const passcode = await send();
      const present = () => authenticate(passcode);
      const lost = { service: 'dynamodb', action: 'UpdateItem', effect: 'lost-answer', times } as const;
      await server.faults.inject({ ...lost, operation: OPERATION });
      const meanwhile = await atOnce(tries, present);
      await server.faults.clear();
      const answers = [...meanwhile, await present(), await present()];
      if (won(answers) !== 1) complaints.push(answers.map(({ status }) => status).join());
    }
    expect(complaints).toEqual([]);
  },
);

test('a passcode is used up by an outage that begins after its consume and outlasts the answer', async () => {
  const { send, authenticate } = await newPerson();
  const passcode = await send();
  const outage = {
    service: 'dynamodb',
    operation: OPERATION,
    effect: 'error',
    code: 'Throttling',
  } as const;
  // The count and the consume pass; neither the session nor what gives the code back is written.
  await server.faults.inject({ ...outage, action: 'UpdateItem', skip: 2 });
  await server.faults.inject({ ...outage, action: 'PutItem' });
  expect(await authenticate(passcode)).toEqual({ status: 503 });
  await server.faults.clear();
  for (let time = 0; time < 4; time += 1) expect(await authenticate(passcode)).toEqual({ status: 400 });
  expect(await authenticate(await send())).toEqual({ status: 200 });
});
