// After a 503 response, a client can repeat its request: whichever AWS call fails, the same credential then logs the user in
// exactly once.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Fault } from '../../../lib/local/emulators/basis/faults.ts';
import type { Handler } from '../../../lib/local/gateway.ts';
import { withinBudget } from '../../../shared/sdk/budget.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { signByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import {
  newPerson,
  type RequestAnswer,
  registerPasskey,
  startLogin,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { newClaimsWithEmail, socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { loadFunction } from '../../support/server/load-function.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../support/server/test-server.ts';
import { exchange, logIn, refresh, storeNewCode } from '../../support/tools/authorized.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';
import { takes } from '../../support/tools/full-run.ts';
import { usePasskey } from '../../support/tools/software-authenticator.ts';

jest.setTimeout(120_000);

/** Multiplier of the functions' time limits, so that requests on a busy machine do not time out. */
const LONG_LIMITS = 10;
const SHORT_LIMITS = 0.2;
let timeLimits = LONG_LIMITS;

const loadWithLimits = async (entry: string): Promise<Handler> => {
  const handler = await loadFunction(entry);
  return (event, context) => withinBudget(timeLimits, () => handler(event, context));
};

let server: TestServer;
let token: string;
let upstream: Upstream;

beforeAll(async () => {
  // Makes the SDK repeat failed calls without its random delay.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  upstream = await startUpstream();
  const { clientId, issuer, clientSecret } = upstream;
  const google = { preference: { clientId, issuer, trustedForEmail: true }, secret: { clientSecret } };
  server = await startTestServer({
    rateLimits: 'off',
    load: loadWithLimits,
    providers: { google },
  });
  token = await server.clientToken();
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  jest.restoreAllMocks();
  server.expectNoViolations();
});

type Answer = Pick<TestAnswer<object>, 'status'>;
/** Function that sends a login request with a single-use credential. Each call sends the same request again. */
type Present = () => Promise<Answer>;

interface Journey {
  readonly title: string;
  readonly operation: string;
  prepare(): Promise<Present>;
}

const post = <Body extends object = Record<string, string>>(path: string, fields: object) =>
  server.post<Body>(path, fields, { token });
const newAddress = async () => {
  const email = newEmail();
  await createProvenUser(server, { email });
  return email;
};
const sent = (identifier: string) => ({ channel: 'direct', identifier_type: 'email', identifier });
const sectionC = () => codeBased(server, token);

/** Token refresh. A response that repeats the previous refresh token is reported as 400, because it is no second success. */
const refreshing = (
  operation: string,
  ask: (refresh_token: string) => Promise<TestAnswer<Record<string, string>>>,
): Journey => ({
  title: `a refresh token (${operation})`,
  operation,
  async prepare() {
    const { tokens } = await logIn(server);
    let successor: string | undefined;
    return async () => {
      const { status, body } = await ask(tokens.refresh_token);
      if (status !== 200) return { status };
      const isKnown = body.refresh_token === successor;
      successor = body.refresh_token;
      return { status: isKnown ? 400 : 200 };
    };
  },
});

const refreshes: readonly Journey[] = [
  refreshing('token', (refresh_token) => refresh(server, refresh_token)),
  refreshing('refresh', (refresh_token) => post('/v1/auth/token/refresh', { refresh_token })),
];

const usedOnce: readonly Journey[] = [
  {
    title: 'a response of an identity provider to a direct social login',
    operation: 'finishSocialLogin',
    async prepare() {
      const social = socialLogin(server, upstream);
      const jar = new BrowserJar(new URL(server.environment.base_url).origin);
      const authorization = await social.leave(jar);
      const code = upstream.issue(authorization, { claims: newClaimsWithEmail(await newAddress()) });
      const address = social.callback(authorization, { code });
      return async () => {
        const { status, headers } = await jar.request(address);
        const { searchParams } = new URL(headers.get('location') ?? 'about:blank');
        if (searchParams.has('code')) return { status: 200 };
        return { status: searchParams.get('error') === 'temporarily_unavailable' ? 503 : status };
      };
    },
  },
  {
    title: 'a response of an identity provider to a social login on a login page',
    operation: 'finishSocialLogin',
    async prepare() {
      const social = socialLogin(server, upstream);
      const login = hostedLogin(server);
      const jar = login.browser();
      const away = (await (await jar.open(login.address())).submit({ method: 'google' })).left as URL;
      const code = upstream.issue(away, { claims: newClaimsWithEmail(await newAddress()) });
      const address = social.callback(away, { code });
      return async () => {
        const { status, left } = await jar.open(address);
        return { status: left?.searchParams.has('code') ? 200 : status === 200 ? 400 : status };
      };
    },
  },
  {
    title: 'a passcode',
    operation: 'authenticateOtp',
    async prepare() {
      const identifier = await newAddress();
      const { code: passcode } = (await post('/v1/auth/otp/send', sent(identifier))).body;
      return () => post('/v1/auth/otp/authenticate', { identifier_type: 'email', identifier, passcode });
    },
  },
  {
    title: 'a magic link',
    operation: 'authenticateMagicLink',
    async prepare() {
      const [redirect_uri] = server.environment.redirect_uris;
      const fields = { ...sent(await newAddress()), redirect_uri };
      const { code } = (await post('/v1/auth/link/email/send', fields)).body;
      return () => post('/v1/auth/link/email/authenticate', { code });
    },
  },
  {
    title: 'an authorization code',
    operation: 'token',
    async prepare() {
      const code = await storeNewCode(server);
      return () => exchange(server, code);
    },
  },
  {
    title: 'the authorization code of a sign-up',
    operation: 'retrieveTokens',
    async prepare() {
      const code = await codeAt(await sectionC().resultByEmail(newEmail(), { create_new_user: true }));
      return () => sectionC().exchange(code);
    },
  },
  {
    title: 'a passcode of a code-based login',
    operation: 'validateEmailOtp',
    async prepare() {
      const email = await newAddress();
      await sectionC().sendEmailOtp({ email });
      const passcode = await server.codeTo(email);
      return () => sectionC().validateEmailOtp({ email, passcode });
    },
  },
  {
    title: 'a passkey signature',
    operation: 'authenticatePasskey',
    async prepare() {
      const passkey = await registerPasskey(server, await newPerson(server));
      const { body } = await startLogin(server);
      const webauthn_encoded_result = usePasskey(passkey, body, toOrigin(server));
      return () => post('/v1/auth/webauthn/authenticate', { webauthn_encoded_result });
    },
  },
  {
    title: 'a device key signature',
    operation: 'authenticateApproval',
    async prepare() {
      const signed = await signByDeviceKey(server, await newPerson(server), 'EC', { amount: '5' });
      return () => post('/v1/auth/approvals/authenticate', signed);
    },
  },
  {
    title: 'a passkey on a login page',
    operation: 'loginPasskey',
    async prepare() {
      const passkey = await registerPasskey(server, await newPerson(server));
      const jar = hostedLogin(server).browser();
      const { client_id, redirect_uris } = server.environment;
      const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris[0] ?? '' });
      const page = await jar.open(`${server.environment.base_url}/v1/auth/webauthn?${query}`);
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
      const optionsPath = /data-options="([^"]*)"/.exec(page.html)?.[1] ?? '';
      const asked = await jar.request(optionsPath, { method: 'POST', body: new URLSearchParams({ csrf }) });
      const credential = usePasskey(passkey, (await asked.json()) as RequestAnswer, toOrigin(server));
      const [, action = ''] = /<form method="post" action="(\/passkey\/[^"]*)"/.exec(page.html) ?? [];
      return async () => {
        const body = new URLSearchParams({ csrf, credential });
        const { status, headers } = await jar.request(action, { method: 'POST', body });
        return { status: /[?&]code=/.test(headers.get('location') ?? '') ? 200 : status };
      };
    },
  },
  {
    title: 'a passcode on a login page',
    operation: 'loginAct',
    async prepare() {
      const email = await newAddress();
      const page = await hostedLogin(server).toCode(hostedLogin(server).browser(), email);
      const passcode = await server.codeTo(email);
      return async () => {
        const { status, left } = await page.submit({ passcode });
        return { status: left?.searchParams.has('code') ? 200 : status === 200 ? 400 : status };
      };
    },
  },
];

const journeys = [...refreshes, ...usedOnce];

type Effect = Omit<Fault, 'service'>;

/** Ways in which an AWS call fails, including the SDK's two repetitions. The effects of a way are assigned to calls in turn. */
const EFFECTS: Readonly<Record<string, readonly [Effect, ...Effect[]]>> = {
  'is rejected three times': [
    { effect: 'error', code: 'Throttling', times: 3 },
    { effect: 'error', code: 'InternalServerError', status: 500, times: 3 },
  ],
  'succeeds without a response three times': [{ effect: 'lost-answer', times: 3 }],
};

interface CallOf {
  readonly service: Fault['service'];
  readonly action: string;
  readonly skip: number;
}

/** Returns the calls to DynamoDB and KMS that the login makes in a function with filled caches. */
async function listCalls({ operation, prepare }: Journey): Promise<readonly CallOf[]> {
  for (let time = 0; time < 2; time += 1) expect((await (await prepare())()).status).toBe(200);
  const calls = (server.metrics()[operation]?.last.calls ?? []).filter((call) =>
    /^(?:dynamodb|kms)\./.test(call),
  );
  return calls.map((call, index) => {
    const [service = '', action = ''] = call.split('.');
    const skip = calls.slice(0, index).filter((before) => before === call).length;
    return { service: service as Fault['service'], action, skip };
  });
}

/** Returns how many calls an everyday run chooses from: one call in this number fails. */
const failingCall = ({ operation }: Journey, { length }: readonly CallOf[]): number =>
  Math.min(operation === 'authenticateOtp' ? 3 : 6, length);

const WAYS = Object.entries(EFFECTS).map(([name, effects], place) => [name, effects, place] as const);

const known = new Map<Journey, Promise<readonly CallOf[]>>();
function callsOnce(journey: Journey): Promise<readonly CallOf[]> {
  const calls = known.get(journey) ?? listCalls(journey);
  known.set(journey, calls);
  return calls;
}

const won = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

describe.each(WAYS)('login during which an AWS call %s', (_, effects, place) => {
  // In an everyday run, each login is tested with only one of the ways to fail.
  const inTurn = journeys.filter((___, index) => takes(index + place, WAYS.length));
  test.each(inTurn.map((journey) => [journey.title, journey] as const))(
    'after a failed AWS call, a user can log in exactly once with %s',
    async (__, journey) => {
      const complaints: string[] = [];
      const calls = await callsOnce(journey);
      const chosen = calls.filter((___, index) => takes(index + place, failingCall(journey, calls)));
      for (const [index, { service, action, skip }] of chosen.entries()) {
        const present = await journey.prepare();
        // KMS fails until the end of the request. DynamoDB fails for one call, because it is needed to restore the credential.
        const { times, ...lasting } = effects[index % effects.length] ?? effects[0];
        const fault = service === 'kms' ? lasting : { ...lasting, times };
        await server.faults.inject({ service, action, operation: journey.operation, skip, ...fault });
        const first = await present();
        await server.faults.clear();
        const answers = [first, await present(), await present()];
        const statuses = answers.map(({ status }) => status).join();
        if (won(answers) !== 1 || (first.status !== 200 && first.status !== 503))
          complaints.push(`${service}.${action} number ${skip + 1}: ${statuses}`);
      }
      expect(complaints).toEqual([]);
    },
  );
});

test('a user can log in with a passcode even if the second read of the client record fails', async () => {
  const journey = journeys.find(({ operation }) => operation === 'authenticateOtp') as Journey;
  // Fills the function's caches, so that the fault affects the second read of the client's record.
  expect((await (await journey.prepare())()).status).toBe(200);
  const present = await journey.prepare();
  const once = { service: 'dynamodb', action: 'GetItem', operation: journey.operation, times: 1 } as const;
  // The SDK does not repeat a call that failed with 501, so only this call fails.
  await server.faults.inject({ ...once, effect: 'error', code: 'NotNow', status: 501 });
  expect([(await present()).status, (await present()).status]).toEqual([200, 400]);
});

/** Delay of a write in milliseconds. A request with `SHORT_LIMITS` times out earlier. */
const LATE_MS = 1300;
const MOST_UPDATES = 3;

test('a delayed write of a login request does not consume the credential after the request was repeated', async () => {
  // Takes one login per operation, because concurrent faults are distinguished by their operation.
  const alone = [...new Map(usedOnce.map((journey) => [journey.operation, journey])).values()];
  const complaints: string[] = [];
  const isUpdate = ({ action }: CallOf) => action === 'UpdateItem';
  const tryAgain = async (journey: Journey, present: Present, skip: number, first: Answer | undefined) => {
    const statuses = [first, await present(), await present()].map((answer) => answer?.status);
    if (statuses.filter((status) => status === 200).length !== 1)
      complaints.push(`${journey.title}, number ${skip + 1}: ${statuses.join()}`);
  };
  for (const skip of Array.from({ length: MOST_UPDATES }, (_, n) => n).filter((n) =>
    takes(n, MOST_UPDATES),
  )) {
    const hit: [Journey, Present][] = [];
    for (const journey of alone)
      if ((await callsOnce(journey)).filter(isUpdate).length > skip)
        hit.push([journey, await journey.prepare()]);
    const slow = { effect: 'latency', latency_ms: LATE_MS, times: 2 } as const;
    for (const [{ operation }] of hit)
      await server.faults.inject({ service: 'dynamodb', action: 'UpdateItem', operation, skip, ...slow });
    timeLimits = SHORT_LIMITS;
    const firsts = await Promise.all(hit.map(([, present]) => present()));
    timeLimits = LONG_LIMITS;
    await server.faults.clear();
    // Waits until the delayed writes have reached the database.
    await delay(LATE_MS);
    await Promise.all(
      hit.map(([journey, present], index) => tryAgain(journey, present, skip, firsts[index])),
    );
  }
  expect(complaints).toEqual([]);
});

test.each(
  // Omits the code exchange, because exchanging a code twice revokes its tokens.
  journeys
    .filter(({ operation }) => /^authenticate|^finishSocial/.test(operation))
    .filter((_, index) => takes(index, 3))
    .map((journey) => [journey.title, journey] as const),
)(
  'a user can log in exactly once with %s if two concurrent requests fail in the last step',
  async (_, { operation, prepare }) => {
    const step = operation.startsWith('authenticate')
      ? ({ service: 'kms', action: 'Sign' } as const)
      : ({ service: 'dynamodb', action: 'PutItem' } as const);
    for (let round = 0; round < 2; round += 1) {
      const present = await prepare();
      await server.faults.inject({ ...step, operation, effect: 'error', code: 'Throttling' });
      const failed = await atOnce(2, present);
      expect(failed.some(({ status }) => status === 503)).toBe(true);
      await server.faults.clear();
      expect(won([...failed, ...(await atOnce(2, present)), await present()])).toBe(1);
    }
  },
);
