import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTables } from '../../lib/local/emulators/dynamodb/tables.ts';
import { signingKeyRecords } from '../../shared/dynamo/directory/signing-keys.ts';
import { tenantRecords } from '../../shared/dynamo/directory/tenants.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { userRecords } from '../../shared/dynamo/people/users.ts';
import { createTable } from '../../shared/dynamo/table.ts';
import { otlWith } from '../support/server/otl.ts';
import { someSigningKey, someTenant, someUser } from '../support/server/records.ts';
import { type Store, startStore } from '../support/server/store.ts';
import {
  describeStack,
  distributions,
  identity,
  lambda,
  listStackResources,
  records,
  ses,
  xml,
  zone,
} from './support/account.ts';

// Runs the command line with `--env eu` against one server that replaces every AWS service and region. DynamoDB tables are
// emulated with the names of a deployment. Other AWS responses are defined in this file. The tests check which AWS service,
// region and resource each command reads.

interface Asked {
  readonly service: string;
  readonly region: string;
  readonly call: string;
  /** Name of the table, key, identity or configuration set that the call is about. */
  readonly of?: string;
}

const KEY_ARN = 'arn:aws:kms:eu-central-1:111122223333:key/tables';

let store: Store;
let server: Server;
let asked: Asked[] = [];
// Settings of the emulated AWS account that tests change.
let recovery = 'ENABLED';
let unprotectedStack = '';
let timeToLive = (name: string) => !name.endsWith('-directory');

const sns: Readonly<Record<string, () => string>> = {
  GetSMSSandboxAccountStatus: () => '<IsInSandbox>false</IsInSandbox>',
  GetSMSAttributes: () =>
    `<attributes><entry><key>MonthlySpendLimit</key><value>100</value></entry></attributes>`,
};
const quotas: Readonly<Record<string, number>> = { 'L-B99A9384': 1000, 'L-2AC98190': 500 };

const line = {
  time: '2026-11-22T10:00:00.000Z',
  event: 'one-time/send-otp',
  status: 404,
  result: 'user_not_found',
};
const createMessage = (text: string, pointer: string) => [
  { field: '@message', value: text },
  { field: '@ptr', value: pointer },
];
let queries: { queryString: string; startTime: number; endTime: number }[] = [];
const logs: Readonly<Record<string, (body: string) => object>> = {
  DescribeLogGroups: () => ({ logGroups: [{ logGroupName: 'otl-eu-operator' }] }),
  StartQuery(body) {
    queries.push(JSON.parse(body));
    return { queryId: 'query' };
  },
  GetQueryResults: () => ({
    status: 'Complete',
    results: [createMessage(JSON.stringify(line), 'a'), createMessage('cut off {', 'b')],
  }),
};

/** Responses with table settings that DynamoDB returns but the emulator dynalite does not support. */
const settings: Readonly<Record<string, (name: string) => object>> = {
  DescribeContinuousBackups: () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: recovery },
    },
  }),
  DescribeTimeToLive: (name) => ({
    TimeToLiveDescription: { TimeToLiveStatus: timeToLive(name) ? 'ENABLED' : 'DISABLED' },
  }),
};

async function dynamodb(call: string, body: string, headers: IncomingMessage['headers']) {
  const own = settings[call]?.(String((JSON.parse(body) as { TableName?: string }).TableName));
  if (own) return { status: 200, body: JSON.stringify(own) };
  const answer = await fetch(store.endpoint, {
    method: 'POST',
    body,
    headers: Object.fromEntries(
      ['x-amz-target', 'content-type', 'authorization', 'x-amz-date'].map((name) => [
        name,
        String(headers[name] ?? ''),
      ]),
    ),
  });
  const found = (await answer.json()) as { Table?: object };
  if (found.Table)
    Object.assign(found.Table, {
      DeletionProtectionEnabled: true,
      SSEDescription: { KMSMasterKeyArn: KEY_ARN },
    });
  return { status: answer.status, body: JSON.stringify(found) };
}

/** Responds to the calls of all AWS services at one URL. The service is read from the signature of the call. */
async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const body = await text(request);
  const [, region = '', service = ''] =
    /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  const [path = ''] = (request.url ?? '').split('?');
  const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
  const form = new URLSearchParams(body);
  const call = target ?? form.get('Action') ?? `${request.method} ${path}`;
  const named = target === undefined ? {} : (JSON.parse(body) as Record<string, string>);
  const of = named.TableName ?? named.KeyId ?? named.QueueNamePrefix;
  asked.push({ service, region, call, ...(of === undefined ? {} : { of }) });
  if (service === 'dynamodb') return dynamodb(call, body, request.headers);
  if (call === 'ListAliases')
    return { status: 200, body: JSON.stringify({ Aliases: [{ AliasName: 'alias/otl-eu-codes' }] }) };
  if (service === 'kms')
    return { status: 200, body: JSON.stringify({ KeyMetadata: { KeyId: of, Enabled: true } }) };
  if (call === 'ListStackResources') return listStackResources(form.get('StackName') ?? '');
  if (service === 'cloudformation') {
    const name = form.get('StackName') ?? '';
    return { status: 200, body: describeStack(name, name !== unprotectedStack) };
  }
  if (service === 'lambda') return lambda(path);
  if (service === 'cloudfront') return { status: 200, body: distributions };
  if (service === 'logs') return { status: 200, body: JSON.stringify(logs[call]?.(body)) };
  if (service === 'sts') return { status: 200, body: identity };
  if (service === 'route53') return { status: 200, body: path.endsWith('/rrset') ? records : zone };
  if (service === 'ssm')
    return region === 'us-east-1'
      ? { status: 400, body: JSON.stringify({ __type: 'ParameterNotFound' }) }
      : { status: 200, body: JSON.stringify({ Parameter: { Value: '28' } }) };
  if (service === 'servicequotas')
    return { status: 200, body: JSON.stringify({ Quota: { Value: quotas[named.QuotaCode ?? ''] } }) };
  if (service === 'backup')
    return { status: 200, body: '{"BackupVaultList":[{"BackupVaultName":"otl-eu"}]}' };
  if (service === 'sms-voice') {
    const limit = { Name: 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT', MaxLimit: 100, EnforcedLimit: 100 };
    const pool = { Status: 'ACTIVE', MessageType: 'TRANSACTIONAL' };
    return { status: 200, body: JSON.stringify({ SpendLimits: [limit], Pools: [pool] }) };
  }
  if (service === 'sns') return { status: 200, body: xml(call, sns[call]?.() ?? '') };
  if (service === 'sqs') return { status: 200, body: '{}' };
  if (service === 'ses') return { status: ses[path] ? 200 : 404, body: JSON.stringify(ses[path] ?? {}) };
  return { status: path === '/ping' ? 200 : 404, body: '' };
}

const tenant = someTenant({ name: 'Shop' });
const user = someUser({ tenantId: tenant.tenantId });

beforeAll(async () => {
  store = await startStore();
  const names = Object.entries(tableLayouts).map(([name, layout]) => [`otl-eu-${name}`, layout] as const);
  const restored = [['otl-eu-people-restored', tableLayouts.people]] as const;
  await createTables(store.endpoint, Object.fromEntries([...names, ...restored]));
  const directory = createTable(store.client, 'otl-eu-directory');
  await tenantRecords(directory).put(tenant);
  for (const [alg, keyArn] of [
    ['RS256', 'arn:signing-key'],
    ['ES256', 'arn:es256-key'],
  ] as const)
    await signingKeyRecords(directory).put(someSigningKey({ alg, state: 'current', keyArn }));
  for (const people of ['otl-eu-people', 'otl-eu-people-restored'])
    await userRecords(createTable(store.client, people)).put(user);
  server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    // Node.js sets the Date header to the real time, but the tests may run with another date.
    response.setHeader('date', new Date().toUTCString());
    response.writeHead(status);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await store.stop();
});
beforeEach(() => {
  asked = [];
  [recovery, unprotectedStack] = ['ENABLED', ''];
  timeToLive = (name) => !name.endsWith('-directory');
});

const otl = (...args: string[]) => otlBy({}, ...args);
const otlBy = (variables: Readonly<Record<string, string>>, ...args: string[]) =>
  otlWith(
    {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      OTL_DOMAIN_EU: 'login.shop.invalid',
      OTL_MAIL_DOMAIN_EU: 'mail.shop.test',
      OTL_ZONE_EU: 'Z0123456789/shop.test',
      OTL_ES256_EU: 'on',
      OTL_PROTECTION_EU: 'on',
      ...variables,
    },
    args,
  );
const sorted = (names: Iterable<string | undefined>) => [...new Set(names)].toSorted();
const tablesAsked = () => sorted(asked.filter(({ service }) => service === 'dynamodb').map(({ of }) => of));
const regionsAsked = () => sorted(asked.filter(({ service }) => service !== '').map(({ region }) => region));

describe('otl commands for a deployed environment', () => {
  test('with --env eu, otl reads records from the tables and the region of the environment eu', async () => {
    const tenants = await otl('--env', 'eu', 'tenant', 'list', '--json');
    expect(JSON.parse(tenants.stdout)).toMatchObject({ result: [{ tenant_id: tenant.tenantId }] });
    const users = await otl('--env', 'eu', '--tenant', tenant.tenantId, 'user', 'export', '--json');
    expect(JSON.parse(users.stdout)).toMatchObject({ user_id: user.userId });
    expect(tablesAsked()).toEqual(['otl-eu-directory', 'otl-eu-people']);
    expect(regionsAsked()).toEqual(['eu-central-1']);
  });

  test('with --env eu, otl lists the signing keys of the environment eu', async () => {
    const { code, stdout } = await otl('--env', 'eu', 'keys', 'list', '--json');
    expect(code).toBe(0);
    const current = { state: 'current' };
    expect(JSON.parse(stdout)).toMatchObject({ result: [current, current] });
  });

  test('with --env jp, otl reads only the tables and the region of the environment jp', async () => {
    const { code, stderr } = await otl('--env', 'jp', 'tenant', 'list');
    expect(code).toBe(1);
    expect(stderr).not.toContain('    at ');
    expect([tablesAsked(), regionsAsked()]).toEqual([['otl-jp-directory'], ['ap-northeast-1']]);
  });
});

test('with --env eu, otl logs --request queries CloudWatch for the log lines of one request', async () => {
  queries = [];
  const { code } = await otl('--env', 'eu', 'logs', '--request', 'JKJaXmPLvHcESHA=', '--json');
  expect(code).toBe(0);
  expect(queries[0]?.queryString).toContain('request_id = "JKJaXmPLvHcESHA="');
});

test('with --env eu, otl logs tail queries CloudWatch for the log lines of all functions', async () => {
  queries = [];
  const tail = await otl('--env', 'eu', 'logs', 'tail', '--since', '30', '--once', '--json');
  expect([tail.code, JSON.parse(tail.stdout)]).toEqual([0, line]);
  const [query] = queries;
  expect(query?.queryString).toContain("SOURCE logGroups(namePrefix: ['otl-eu-'])");
  expect((query?.endTime ?? 0) - (query?.startTime ?? 0)).toBeCloseTo(1800, -1);
  expect(regionsAsked()).toEqual(['eu-central-1']);
});

describe('otl doctor for a deployed environment', () => {
  const findings = async () => {
    const OTL_SMS_POOL_EU = 'arn:aws:sms-voice:eu-central-1:111122223333:pool/pool-1';
    const { stdout } = await otlBy({ OTL_SMS_POOL_EU }, '--env', 'eu', 'doctor', '--json');
    const { result } = JSON.parse(stdout) as { result: { check: string; status: string; detail: string }[] };
    return (check: string) => result.find((finding) => finding.check === check);
  };

  test('with --env eu, otl doctor checks the deployed AWS resources of the environment eu', async () => {
    const found = await findings();
    const checks = [
      ...['lambda-concurrency', 'queue-concurrency', 'kms-signatures', 'ses-quota', 'sms-quota'],
      ...['ses-identity', 'ses-dkim', 'ses-mail-from', 'ses-sandbox', 'ses-tracking', 'sms', 'sms-limit'],
      ...['sms-pool', 'sms-pool-limit'],
      ...['tables', 'protection', 'signing-keys', 'signing-modes', 'keys', 'clock', 'callback-urls'],
    ];
    expect(checks.map((check) => [check, found(check)?.status, found(check)?.detail])).toEqual(
      checks.map((check) => [check, 'ok', expect.any(String)]),
    );
    // No server responds at the domain of this test. The two checks of the domain report this, and the other checks still run.
    expect(found('edge')?.status).toBe('warn');
    expect(tablesAsked()).toEqual(['otl-eu-directory', 'otl-eu-flows', 'otl-eu-people']);
    expect(sorted(asked.filter(({ call }) => call === 'DescribeKey').map(({ of }) => of))).toEqual([
      ...['alias/otl-eu-codes', 'alias/otl-eu-tables', 'alias/otl-eu-webhooks'],
      ...['arn:es256-key', 'arn:signing-key'],
    ]);
    expect(sorted(asked.filter(({ call }) => call === 'ListQueues').map(({ of }) => of))).toEqual([
      ...['otl-eu-events-NoticesQueue', 'otl-eu-events-WebhooksQueue'],
    ]);
    expect(regionsAsked()).toEqual(['eu-central-1', 'us-east-1']);
    expect(asked).toContainEqual({ service: '', region: '', call: 'HEAD /ping' });
    // Several checks use the same facts, which are read only once.
    const calls = asked.map(({ call }) => call).filter((call) => /Pools|Limits|\/account$/.test(call));
    expect(calls.toSorted()).toEqual(['DescribePools', 'DescribeSpendLimits', 'GET /v2/email/account']);
  });
});

describe('otl first-tenant for a deployed environment', () => {
  const make = (variables = {}) =>
    otlBy(variables, '--env', 'eu', 'first-tenant', '--name', 'Example Ltd', '--email', 'ann@example.com');

  test('otl first-tenant creates nothing in an environment without deletion protection', async () => {
    const off = await make({ OTL_PROTECTION_EU: '' });
    expect([off.code, off.stderr]).toEqual([1, expect.stringContaining('OTL_PROTECTION_EU')]);
    unprotectedStack = 'otl-eu-data';
    const open = await make();
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining('otl-eu-data')]);
    expect(asked.filter(({ call }) => /Put|Transact|Update/.test(call) && call !== 'PutLogEvents')).toEqual(
      [],
    );
  });

  test('otl first-tenant continues if all tables and stacks have deletion protection', async () => {
    expect((await make()).stderr).toContain('A tenant already exists');
  });
});

test('otl preflight eu lists the AWS resources and the costs of a deployment', async () => {
  const { code, stdout, stderr } = await otl('preflight', 'eu', '--json');
  const { checks, plan } = JSON.parse(stdout) as {
    checks: { check: string; status: string; detail: string; command?: string }[];
    plan: { what: string; count?: number; usd_a_month?: number }[];
  };
  expect([code, stderr]).toEqual([1, 'otl: 11 checks failed.\n']);
  const of = (name: string) => checks.find(({ check }) => check === name);
  expect(of('credentials')?.detail).toBe('arn:aws:iam::111122223333:user/ann');
  expect(of('account')?.command).toBe('export OTL_ACCOUNT_EU=111122223333');
  expect(of('bootstrap')).toMatchObject({
    ...{ status: 'fail', command: 'npx cdk bootstrap aws://111122223333/us-east-1' },
  });
  expect(of('function-urls')?.detail).toBe('a service control policy forbids public function URLs');
  expect(of('zone')).toMatchObject({ status: 'fail', detail: expect.stringContaining('the private zone') });
  expect(of('ses-sandbox')?.status).toBe('ok');
  // Lists resources that already exist, except functions that belong to the stack of this environment.
  const taken = (name: string) => of(name)?.detail.replace(/^.*: /, '');
  expect(taken('tables')).toBe('otl-eu-directory, otl-eu-flows, otl-eu-people');
  expect(taken('key-aliases')).toBe('alias/otl-eu-codes');
  expect(taken('mail-identity')).toBe('mail.shop.test');
  expect(['log-groups', 'vaults'].map(taken)).toEqual(['otl-eu-operator', 'otl-eu']);
  expect(['functions', 'host'].map(taken)).toEqual(['otl-eu-users-list-users', 'login.shop.invalid of E1']);
  expect(taken('records')).toBe('login.shop.invalid. A');
  const made = (name: string) => plan.find(({ what }) => what === name);
  expect(made('Tables')?.count).toBe(3);
  expect(made('ES256 key')?.usd_a_month).toBe(1);
  expect(made('Functions')?.count).toBeGreaterThan(100);
  const total = plan.reduce((sum, { what, usd_a_month = 0 }) => sum + (what === 'Sum' ? 0 : usd_a_month), 0);
  expect(made('Sum')?.usd_a_month).toBeCloseTo(total, 1);
  // The CDK bootstrap is also checked in the region of the certificate. Quotas are checked only in the environment's region.
  const regions = (service: string) =>
    sorted(asked.filter((each) => each.service === service).map((each) => each.region));
  expect([regions('ssm'), regions('servicequotas')]).toEqual([
    ['eu-central-1', 'us-east-1'],
    ['eu-central-1'],
  ]);
});

describe('otl restore check for a deployed environment', () => {
  const check = () =>
    otl('--env', 'eu', 'restore', 'check', '--of', 'people', '--table', 'otl-eu-people-restored');

  test('otl restore check compares the settings of the restored table with those of the original table', async () => {
    const { code, stdout } = await otl(
      ...['--env', 'eu', 'restore', 'check', '--of', 'people', '--table', 'otl-eu-people-restored', '--json'],
    );
    expect(code).toBe(0);
    const { result } = JSON.parse(stdout) as { result: { name: string; ok: boolean }[] };
    expect(result.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...[
          'table is active',
          'keys are those of the service',
          'indexes exist and are active',
          'table is encrypted with our key',
        ],
        ...[
          'point-in-time recovery is on',
          'table is protected from deletion like the original',
          'items expire where they should',
        ],
        'users can be read',
      ]),
    );
    expect(sorted(asked.filter(({ call }) => call === 'DescribeTable').map(({ of }) => of))).toEqual([
      'otl-eu-people',
      'otl-eu-people-restored',
    ]);
  });

  test('otl restore check rejects a restored table that has no TTL', async () => {
    timeToLive = () => false;
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([1, expect.stringContaining('items expire where they should (DISABLED)')]);
  });

  test('otl restore check rejects a restored table that has no point-in-time recovery', async () => {
    recovery = 'DISABLED';
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([1, expect.stringContaining('point-in-time recovery is on (DISABLED)')]);
  });
});
