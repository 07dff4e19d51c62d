// Failures of single AWS calls in the operations that precede a login. The response must be the usual one or a 503 with
// Retry-After, a code may log in at most once, and the user must be able to finish the login. `try-again.test.ts` tests
// failures in the logins themselves.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Fault } from '../../../lib/local/emulators/basis/faults.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { readCodeState } from '../../support/server/code-state.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../support/server/test-server.ts';
import { takes } from '../../support/tools/full-run.ts';

type Body = Readonly<Record<string, string>>;
type Answer = TestAnswer<Body>;

const DAY_SECONDS = 86_400;

let server: TestServer;
let token: string;
let redirect_uri: string;

beforeAll(async () => {
  // Makes the SDK repeat failed calls without its random delay.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  server = await startTestServer({ environment: { DATABASE_PATIENCE: '1' } });
  redirect_uri = server.environment.redirect_uris[0] ?? '';
});
afterAll(async () => {
  await server.stop();
  jest.restoreAllMocks();
  server.expectNoViolations();
});

/** Faults of an AWS call. A fault without `times` also affects all later calls of the same AWS action. */
const EFFECTS: Readonly<Record<string, Omit<Fault, 'service'>>> = {
  'is throttled each time': { effect: 'error', code: 'Throttling' },
  'fails once': { effect: 'error', code: 'InternalServerError', status: 500, times: 1 },
  'succeeds, but returns no response once': { effect: 'lost-answer', times: 1 },
  'succeeds, but returns no response each time': { effect: 'lost-answer' },
};

interface Person {
  readonly email: string;
  readonly userId: string;
}

async function newUser(): Promise<Person> {
  const email = newEmail();
  return { email, userId: (await createUser(server, { email })).user_id };
}

const post = (path: string, fields: object) => server.post<Body>(path, fields, { token });

/** Login method with a single-use code, which is sent and then authenticated. */
interface Method {
  send(person: Person, channel: 'direct' | 'email'): Promise<Answer>;
  authenticate(person: Person, code: string): Promise<Answer>;
  /** Returns the code in the newest message to the user, or an empty string if no message was sent. */
  received(person: Person): Promise<string>;
}

const otp: Method = {
  send: ({ email }, channel) =>
    post('/v1/auth/otp/send', { channel, identifier_type: 'email', identifier: email }),
  authenticate: ({ email }, passcode) =>
    post('/v1/auth/otp/authenticate', { identifier_type: 'email', identifier: email, passcode }),
  received: ({ email }) => server.codeTo(email),
};

const link: Method = {
  send: ({ email }, channel) =>
    post('/v1/auth/link/email/send', {
      channel,
      identifier_type: 'email',
      identifier: email,
      redirect_uri,
    }),
  authenticate: (_, code) => post('/v1/auth/link/email/authenticate', { code }),
  received: async ({ email }) => URL.parse(await server.linkTo(email))?.searchParams.get('code') ?? '',
};

const codeState = ({ email }: Person) => readCodeState(server, { type: 'email', value: email });

async function livingSessions({ userId }: Person): Promise<number> {
  const { sessions } = await server.ports(['sessions']);
  return (await sessions.listOf(userId, Math.floor(Date.now() / 1000))).length;
}

/** Returns what is wrong with a response during a fault. It must have the expected status, or be a correct 503 response. */
function complaintsAbout({ status, headers, body }: Answer, expected: number): string[] {
  if (status === expected) return [];
  if (status !== 503) return [`answered ${status} ${JSON.stringify(body)}`];
  const complaints: string[] = [];
  if (!(Number(headers.get('retry-after')) > 0)) complaints.push('503 without Retry-After');
  const code = String(body.error_code);
  if (code !== '503') complaints.push(`503 with error_code ${code}`);
  if ('error' in body && body.error !== 'temporarily_unavailable') complaints.push(`503 as ${body.error}`);
  return complaints;
}

/** Logs the user in with a new code after the fault. Returns a description if the login fails, otherwise an empty list. */
async function finishes(method: Method, person: Person): Promise<string[]> {
  const sent = await method.send(person, 'direct');
  const login = await method.authenticate(person, sent.body.code ?? '');
  return login.status === 200 ? [] : [`cannot finish: ${sent.status}, ${login.status}`];
}

/** Operation under test. `run` passes its request to `broken`, which causes the fault, and returns descriptions of problems. */
interface Interrupted {
  readonly operation: string;
  run(broken: (request: () => Promise<Answer>) => Promise<Answer>): Promise<string[]>;
}

function sending(operation: string, method: Method): Interrupted {
  return {
    operation,
    async run(broken) {
      const person = await newUser();
      const answer = await broken(() => method.send(person, 'email'));
      const complaints = complaintsAbout(answer, 200);
      const code = await method.received(person);
      const logins = [];
      for (let time = 0; time < 2 && code !== ''; time += 1)
        logins.push((await method.authenticate(person, code)).status);
      const won = logins.filter((status) => status === 200).length;
      if (answer.status === 200 && won !== 1) complaints.push(`sent, and opened ${won} times`);
      if (won > 1) complaints.push(`opened ${won} times`);
      return [...complaints, ...(await finishes(method, person))];
    },
  };
}

const clientToken: Interrupted = {
  operation: 'token',
  async run(broken) {
    const { client_id, client_secret } = server.environment;
    const request = () =>
      server.form<Body>('/oidc/token', { grant_type: 'client_credentials', client_id, client_secret });
    const complaints = complaintsAbout(await broken(request), 200);
    const again = await request();
    return again.status === 200 ? complaints : [...complaints, `afterwards ${again.status}`];
  },
};

const opening: Interrupted = {
  operation: 'openMagicLink',
  async run(broken) {
    const person = await newUser();
    const { link: url = '', code = '' } = (await link.send(person, 'direct')).body;
    const complaints = complaintsAbout(await broken(() => server.get<Body>(url)), 302);
    const login = await link.authenticate(person, code);
    return login.status === 200 ? complaints : [...complaints, `the link was lost: ${login.status}`];
  },
};

const operations: readonly Interrupted[] = [
  clientToken,
  sending('sendOtp', otp),
  sending('sendMagicLink', link),
  opening,
];

interface CallOf {
  readonly service: Fault['service'];
  readonly action: string;
  /** Number of calls of this action that succeed before the call that fails. */
  readonly skip: number;
}

const known = new Map<string, Promise<readonly CallOf[]>>();

/** Returns the AWS calls of one request to a warm function. */
function listCalls(interrupted: Interrupted): Promise<readonly CallOf[]> {
  const calls = known.get(interrupted.operation) ?? listen(interrupted);
  known.set(interrupted.operation, calls);
  return calls;
}

async function listen({ operation, run }: Interrupted): Promise<readonly CallOf[]> {
  let calls: readonly string[] = [];
  for (let time = 0; time < 2; time += 1)
    await run(async (request) => {
      const answer = await request();
      calls = server.metrics()[operation]?.last.calls ?? [];
      return answer;
    });
  return calls.map((call, index) => {
    const [service = '', action = ''] = call.split('.');
    const skip = calls.slice(0, index).filter((before) => before === call).length;
    return { service: service as Fault['service'], action, skip };
  });
}

const WAYS = Object.entries(EFFECTS).map(([name, effect], place) => [name, [effect, place]] as const);
type Way = (typeof WAYS)[number][1];

/** Makes one call after the other fail in this way. Returns the problems. In a short run, takes only some of the calls. */
async function breakEach(interrupted: Interrupted, [effect, place]: Way): Promise<string[]> {
  const complaints: string[] = [];
  const calls = await listCalls(interrupted);
  expect(calls.length).toBeGreaterThan(0);
  const taken = calls.filter((_, index) => takes(index + place, WAYS.length));
  for (const { service, action, skip } of taken) {
    const name = `${service}.${action} number ${skip + 1}`;
    const broken = async (request: () => Promise<Answer>) => {
      await server.faults.inject({ service, action, operation: interrupted.operation, skip, ...effect });
      const answer = await request();
      await server.faults.clear();
      // Except for sent messages, the service repeats a call that failed once, so a 503 response is a problem.
      const isRepeated = effect.times === 1 && service !== 'ses' && service !== 'sns';
      if (isRepeated && answer.status === 503) complaints.push(`${name}: did not heal`);
      return answer;
    };
    for (const complaint of await interrupted.run(broken)) complaints.push(`${name}: ${complaint}`);
  }
  return complaints;
}

describe.each(WAYS)('N026: responses of operations if an AWS call %s', (_, way) => {
  test.each(operations.map((each) => [each.operation, each] as const))(
    'the operation %s completes or can be repeated after a failed AWS call',
    async (__, interrupted) => {
      // Raises the rate limit, so that only the failed call influences the response.
      await withApplication(server, { rateLimits: { callsPerMinute: 1_000_000 } }, async () => {
        token = await server.clientToken();
        expect(await breakEach(interrupted, way)).toEqual([]);
      });
    },
  );
});

describe('state of sessions and failed attempts after a failed AWS call', () => {
  test.each([
    ['dynamodb', 'PutItem', 'error'],
    ['dynamodb', 'PutItem', 'lost-answer'],
    ['kms', 'Sign', 'error'],
  ] as const)(
    'a login with a failed %s.%s call leaves no session without tokens (effect: %s)',
    async (service, action, effect) => {
      for (const method of [otp, link]) {
        const person = await newUser();
        const { code = '' } = (await method.send(person, 'direct')).body;
        await server.faults.inject({ service, action, effect, code: 'Throttling' });
        const failed = await method.authenticate(person, code);
        await server.faults.clear();
        expect(complaintsAbout(failed, 503)).toEqual([]);
        expect(await livingSessions(person)).toBe(0);
        expect(await finishes(method, person)).toEqual([]);
        expect(await livingSessions(person)).toBe(1);
      }
    },
  );

  test('a code entered while KMS or DynamoDB is throttled does not count as a failed attempt', async () => {
    const person = await newUser();
    // Sends the code before midnight and enters it after midnight, in a function that has neither day's key. Moves three days
    // ahead, because a function that runs in the last hour of a day also fetches the next day's key.
    const midnight = (Math.floor(Date.now() / 1000 / DAY_SECONDS) + 3) * DAY_SECONDS;
    await server.advanceClock(midnight - 30 - Math.floor(Date.now() / 1000));
    token = await server.clientToken();
    const { code = '' } = (await otp.send(person, 'direct')).body;
    await server.advanceClock(60);
    for (const fault of [
      { service: 'kms', action: 'GenerateMac' },
      { service: 'dynamodb', action: 'GetItem' },
    ] as const)
      for (let time = 0; time < 4; time += 1) {
        await server.faults.inject({ ...fault, effect: 'error', code: 'Throttling' });
        expect((await otp.authenticate(person, code)).status).toBe(503);
        await server.faults.clear();
      }
    expect((await codeState(person))?.tries).toBe(0);
    expect((await otp.authenticate(person, code)).status).toBe(200);
  });
});
