import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { functionUrlEvent } from '../../../lib/local/events.ts';
import { metricFields } from '../../../shared/http/emf.ts';
import { METRIC_NAMESPACE, metrics } from '../../../shared/http/metrics.ts';
import { Cloud } from '../../stacks/support/cloud.ts';
import { synthesized } from '../../stacks/support/synthesized.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, findUser, newEmail, newPhoneNumber, useUpTries } from '../../support/fixtures/people.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { loadBackground, loadFunction } from '../../support/server/load-function.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../support/server/test-server.ts';

type Dimension = { readonly Name: string; readonly Value: string };
type Line = Record<string, unknown>;

/** Schema of a metric name in the CloudWatch embedded metric format. */
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(1024));
const Metadata = v.strictObject({
  Timestamp: v.pipe(v.number(), v.integer(), v.minValue(1_500_000_000_000)),
  CloudWatchMetrics: v.pipe(
    v.array(
      v.strictObject({
        Namespace: v.pipe(Name, v.regex(/^[\w./#:-]+$/)),
        Dimensions: v.pipe(v.array(v.pipe(v.array(Name), v.maxLength(30))), v.minLength(1)),
        Metrics: v.pipe(
          v.array(v.strictObject({ Name, Unit: v.picklist(['Count', 'Milliseconds', 'Percent']) })),
          v.minLength(1),
          v.maxLength(100),
        ),
      }),
    ),
    v.minLength(1),
  ),
});

let server: TestServer;
let token: string;
const printed: string[] = [];

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk));
    return true;
  });
  server = await startTestServer({
    environment: { LOG_LEVEL: 'info', ENVIRONMENT: 'eu' },
  });
  token = await server.clientToken();
});
afterAll(async () => {
  await server.stop();
  jest.restoreAllMocks();
});

const lines = (): Line[] => printed.map((line) => JSON.parse(line) as Line);
const send = (fields: object) => server.post<Line>('/v1/auth/otp/send', fields, { token });
const authenticate = (fields: object) => server.post<Line>('/v1/auth/otp/authenticate', fields, { token });

/**
 * Returns the metric values that CloudWatch would extract from a log line. The keys have the form `Name{dimension=value,…}`.
 */
function readDataPoints(line: Line): Record<string, number> {
  const { CloudWatchMetrics } = v.parse(Metadata, line._aws);
  const points: Record<string, number> = {};
  for (const { Dimensions, Metrics } of CloudWatchMetrics)
    for (const set of Dimensions)
      for (const { Name: name } of Metrics) {
        const where = set.map((dimension) => `${dimension}=${v.parse(v.string(), line[dimension])}`);
        points[`${name}{${where.join(',')}}`] = v.parse(v.number(), line[name]);
      }
  return points;
}

const readAnswerPoints = ({ headers }: TestAnswer<unknown>): Record<string, number> =>
  readDataPoints(lines().find(({ request_id }) => request_id === headers.get('x-request-id')) ?? {});

/**
 * Returns the metric values of a response, except `Requests` and `Duration`, which every log line has, and `PromiseBreaks`,
 * because an authentication on a busy machine can take longer than 2 s.
 */
function findDataPoints(answer: TestAnswer<unknown>): Record<string, number> {
  const {
    'Requests{Environment=eu}': requests,
    'Duration{Environment=eu}': duration,
    'PromiseBreaks{Environment=eu}': _,
    ...rest
  } = readAnswerPoints(answer);
  expect(requests).toBe(1);
  expect(duration).toBeGreaterThanOrEqual(0);
  return rest;
}

/** Metric value of an authentication that succeeded, or that failed because of an error in the service. */
const authentication = { 'Authentications{Environment=eu}': 1 };

const both = (name: string, channel: string) => ({
  [`${name}{Environment=eu}`]: 1,
  [`${name}{Environment=eu,Channel=${channel}}`]: 1,
});

describe('CloudWatch metrics in log lines of requests', () => {
  test('messages, verifications and lockouts are counted in metrics', async () => {
    const identifier = newEmail();
    await createUser(server, { email: identifier });
    const who = { identifier_type: 'email', identifier };
    expect(findDataPoints(await send({ ...who, channel: 'email' }))).toEqual(both('Sends', 'email'));
    const right = await authenticate({ ...who, passcode: await server.codeTo(identifier) });
    expect(findDataPoints(right)).toEqual({ ...both('Verifications', 'email'), ...authentication });

    await send({ ...who, channel: 'direct' });
    for (const failed of await useUpTries((passcode) => authenticate({ ...who, passcode })))
      expect(findDataPoints(failed)).toEqual({});
    expect(findDataPoints(await authenticate({ ...who, passcode: '0000000' }))).toEqual({
      'Lockouts{Environment=eu}': 1,
    });
  });

  test('the metrics count SMS by the number of billed segments', async () => {
    const [phone_number, other] = [newPhoneNumber(), newPhoneNumber()];
    await createUser(server, { phone_number });
    const sent = await codeBased(server, token).sendSmsOtp({ phone_number });
    expect(findDataPoints(sent)).toEqual({
      ...both('Sends', 'sms'),
      'SmsParts{Environment=eu}': 1,
      'SmsBudgetUsed{Environment=eu}': expect.any(Number),
    });
    const who = { identifier_type: 'phone_number', identifier: phone_number };
    await send({ ...who, channel: 'sms' });
    const right = await authenticate({ ...who, passcode: await server.codeTo(phone_number) });
    expect(findDataPoints(right)).toEqual({ ...both('Verifications', 'sms'), ...authentication });
    await createUser(server, { phone_number: other });
    await server.faults.inject({ service: 'sns', effect: 'error', code: 'OptedOut' });
    const refused = await send({ channel: 'sms', identifier_type: 'phone_number', identifier: other });
    expect(refused.status).toBe(400);
    expect(findDataPoints(refused)).toMatchObject(both('DeliveryRefusals', 'sms'));

    // A refusal of ours is no failure of the provider.
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const { users } = await server.ports(['users']);
    const user = { userId: user_id, tenantId: server.environment.tenant_id, createdAt: 1 };
    await users.markUndeliverable(user, email, { reason: 'bounce', since: 1 });
    const dead = await send({ channel: 'email', identifier_type: 'email', identifier: email });
    expect(dead.status).toBe(400);
    expect(findDataPoints(dead)).toEqual({});
  });

  test('magic links are counted in metrics', async () => {
    const identifier = newEmail();
    await createUser(server, { email: identifier });
    const fields = {
      identifier_type: 'email',
      identifier,
      redirect_uri: server.environment.redirect_uris[0],
      channel: 'direct',
    };
    const path = '/v1/auth/link/email';
    const direct = await server.post<{ code: string }>(`${path}/send`, fields, { token });
    expect(findDataPoints(direct)).toEqual(both('Sends', 'direct'));
    const mailed = await server.post(`${path}/send`, { ...fields, channel: 'email' }, { token });
    expect(findDataPoints(mailed)).toEqual(both('Sends', 'link'));
    const login = await server.post(`${path}/authenticate`, { code: direct.body.code }, { token });
    expect(findDataPoints(login)).toEqual({ ...both('Verifications', 'direct'), ...authentication });
  });

  test('links of code-based logins are counted in metrics', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const sectionC = codeBased(server, token);
    expect(findDataPoints(await sectionC.sendLink({ email }))).toEqual(both('Sends', 'link'));
    const { headers } = await server.get(await server.linkTo(email));
    const code = new URL(headers.get('location') ?? '').searchParams.get('code');
    expect(findDataPoints(await sectionC.exchange(code ?? ''))).toEqual({
      ...both('Verifications', 'link'),
      ...authentication,
    });
  });

  test('logins on the hosted pages are counted in metrics', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const from = printed.length;
    const login = hostedLogin(server);
    const code = await login.toCode(login.browser(), email);
    leftTo(await code.submit({ passcode: await server.codeTo(email) }));
    const points = lines()
      .slice(from)
      .flatMap((line) => Object.keys(readDataPoints(line)))
      .filter((point) => point.includes('Channel'));
    expect(points).toEqual([
      'Sends{Environment=eu,Channel=email}',
      'Verifications{Environment=eu,Channel=email}',
    ]);
  });

  test.each([
    ['ThrottlingException', {}],
    ['DisabledException', { 'UnusableKeys{Environment=eu}': 1 }],
  ])(
    'server errors are counted in metrics, with a metric for unusable KMS keys: %s',
    async (code, further) => {
      await server.faults.inject({ service: 'kms', effect: 'error', code, times: 5 });
      const busy = await server.form('/oidc/token', {
        grant_type: 'client_credentials',
        client_id: server.environment.client_id,
        client_secret: server.environment.client_secret,
      });
      await server.faults.clear();
      expect(busy.status).toBe(503);
      expect(findDataPoints(busy)).toEqual({ 'ServerErrors{Environment=eu}': 1, ...further });
    },
  );

  test('a login that fails with status 500 is counted in the metric PromiseBreaks', async () => {
    await server.faults.inject({
      service: 'dynamodb',
      effect: 'error',
      code: 'ValidationException',
      times: 5,
    });
    const failed = await authenticate({
      identifier_type: 'email',
      identifier: newEmail(),
      passcode: '1234567',
    });
    await server.faults.clear();
    expect(failed.status).toBe(500);
    expect(readAnswerPoints(failed)).toMatchObject({
      'ServerErrors{Environment=eu}': 1,
      ...authentication,
      'PromiseBreaks{Environment=eu}': 1,
    });
  });

  test.each([
    [
      'accepted within 2 s is counted in Authentications only',
      { status: 200, durationMs: 2000, result: 'ok' },
      [1, undefined],
    ],
    [
      'accepted after more than 2 s is counted in Authentications and PromiseBreaks',
      { status: 200, durationMs: 2001, result: 'ok' },
      [1, 1],
    ],
    [
      'answered with 503 after 10 s is counted in Authentications only',
      { status: 503, durationMs: 10_000, result: 'service_unavailable' },
      [1, undefined],
    ],
    [
      'rejected after more than 2 s is counted neither in Authentications nor in PromiseBreaks',
      { status: 401, durationMs: 2001, result: 'invalid_grant' },
      [undefined, undefined],
    ],
    [
      'answered with a page about an internal error is counted in Authentications and PromiseBreaks',
      { status: 200, durationMs: 10, result: 'internal_error' },
      [1, 1],
    ],
  ])(
    'the metrics count an authentication by its result and duration: an authentication that was %s',
    (_title, answered, expected) => {
      const fields = metricFields({}, { ...answered, checksCredential: true });
      expect([fields.Authentications, fields.PromiseBreaks]).toEqual(expected);
      const other = metricFields({}, { ...answered, checksCredential: false });
      expect([other.Authentications, other.PromiseBreaks]).toEqual([undefined, undefined]);
    },
  );

  test('rejected SMS and calls that bypass CloudFront are counted in metrics', async () => {
    await withApplication(server, { rateLimits: { smsPerPrefixPerHour: 1 } }, async () => {
      const again = codeBased(server, await server.clientToken());
      const signUp = (phone_number: string) => again.sendSmsOtp({ phone_number, create_new_user: true });
      expect((await signUp('+14158670001')).status).toBe(200);
      const refused = await signUp('+14158670002');
      expect(refused.status).toBe(429);
      expect(findDataPoints(refused)).toMatchObject({ 'SmsRefusals{Environment=eu}': 1 });
    });
    const from = printed.length;
    const health = await loadFunction('meta/health');
    const request = { method: 'GET', target: '/health', rawHeaders: [], body: Buffer.of(), sourceIp: '::1' };
    expect(await health(functionUrlEvent(request), {} as Context)).toMatchObject({ statusCode: 403 });
    expect(lines().slice(from).map(readDataPoints)).toMatchObject([{ 'EdgeBypasses{Environment=eu}': 1 }]);
  });
});

describe('CloudWatch metrics from the function "watch"', () => {
  const { noting, close } = noteForComparison();
  afterAll(close);
  const watch = async () => {
    const from = printed.length;
    const run = noting('watch', await loadBackground('watch'))({});
    const failed = await run.then(
      () => false,
      () => true,
    );
    return { failed, points: lines().slice(from).map(readDataPoints) };
  };

  test('the function "watch" reports the used percentage of the mail quota and a request count of zero', async () => {
    const { length } = await server.messages({ channel: 'email' });
    expect(length).toBeGreaterThan(0);
    expect(await watch()).toEqual({
      failed: false,
      points: [{ 'Requests{Environment=eu}': 0 }, { 'MailQuotaUsed{Environment=eu}': length / 2 }],
    });
  });

  test('if SES does not respond, the function "watch" reports a request count of zero and fails', async () => {
    await server.faults.inject({ service: 'ses', effect: 'error', code: 'AccessDenied', times: 5 });
    expect(await watch()).toEqual({ failed: true, points: [{ 'Requests{Environment=eu}': 0 }] });
    await server.faults.clear();
  });
});

describe('synthetic login by the function "watch"', () => {
  const SECRET = 'otl-eu/synthetic-login';
  const logIn = async (secret: string) => {
    const client = new SecretsManagerClient({});
    const value = { SecretId: SECRET, SecretString: secret };
    await client
      .send(new CreateSecretCommand({ Name: SECRET, SecretString: secret }))
      .catch(() => client.send(new PutSecretValueCommand(value)));
    const from = printed.length;
    const { create } = await import('../../../functions/events/watch.ts');
    await create({}, { BASE_URL: `${server.url}/cis`, SYNTHETIC_SECRET: SECRET })({});
    const line = lines()
      .slice(from)
      .find(({ event }) => event === 'synthetic-login');
    return [line?.result, readDataPoints(line ?? {})['SyntheticLogins{Environment=eu}']];
  };

  test('the synthetic login sends no message, and the log of a failure names the failed request', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const { client_id, client_secret } = server.environment;
    const user = { client_id, client_secret, email };
    expect(await logIn(JSON.stringify(user))).toEqual(['ok', 1]);
    expect(await server.messages({ to: email })).toEqual([]);
    expect((await findUser(server, user_id)).last_auth).toBeDefined();
    expect(await logIn(JSON.stringify({ ...user, client_secret: 'wrong' }))).toEqual([
      '/oidc/token answered 401',
      0,
    ]);
    expect(await logIn(JSON.stringify({ ...user, email: newEmail() }))).toEqual([
      '/v1/auth/otp/send answered 404',
      0,
    ]);
  });

  test('if the secret of the synthetic login is not valid JSON, no part of it is logged', async () => {
    expect(await logIn('{"client_secret": hunter2}')).toEqual(['SyntaxError', 0]);
    expect(printed.join('')).not.toContain('hunter2');
  });
});

test('alarms use only metrics that are contained in log lines', () => {
  const made = new Set(lines().flatMap((line) => (line._aws ? Object.keys(readDataPoints(line)) : [])));
  const read = new Cloud(synthesized('eu').templates)
    .resources('AWS::CloudWatch::Alarm')
    .flatMap(({ properties }) => [
      properties,
      ...((properties.Metrics ?? []) as { MetricStat?: { Metric: object } }[]).flatMap(
        ({ MetricStat }) => MetricStat?.Metric ?? [],
      ),
    ])
    .map((metric) => metric as { Namespace?: string; MetricName?: string; Dimensions?: Dimension[] })
    .filter(({ Namespace }) => Namespace === METRIC_NAMESPACE)
    .map(({ MetricName, Dimensions = [] }) => {
      // Orders the dimensions as in the log lines, where `Environment` comes first.
      const sets = Dimensions.map(({ Name, Value }) => `${Name}=${Value}`)
        .toSorted()
        .toReversed();
      return `${MetricName}{${sets.join(',')}}`;
    });
  expect(read.length).toBeGreaterThan(12);
  expect(read.filter((metric) => !made.has(metric))).toEqual([]);
});

test('every log line of a request is valid in the CloudWatch embedded metric format', () => {
  const known = new Set<string>(Object.values(metrics).map(({ name }) => name));
  const answered = lines().filter(({ request_id }) => request_id !== undefined);
  expect(answered.length).toBeGreaterThan(15);
  for (const line of answered) {
    for (const point of Object.keys(readDataPoints(line))) expect(known).toContain(point.split('{')[0]);
    const { CloudWatchMetrics } = v.parse(Metadata, line._aws);
    const dimensions = new Set(CloudWatchMetrics.flatMap(({ Dimensions }) => Dimensions.flat()));
    expect([...dimensions].filter((name) => !['Environment', 'Channel'].includes(name))).toEqual([]);
  }
});
