import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awsFacts, type Installation } from '../../lib/operator/doctor/aws-facts.ts';
import type { Facts } from '../../lib/operator/doctor/facts.ts';
import { readSmsPoolState } from '../../lib/operator/doctor/sms-pool.ts';

// Responses to the AWS SDK clients in the protocols of AWS: JSON with a target header (DynamoDB, KMS), REST (SES), and the
// query protocol with XML (SNS). The tests read each fact from a healthy response and from faulty responses.
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Responses by operation name, or by method and path. Any other call gets a 404 response without a Date header. */
let answers: Readonly<Record<string, Answer>> = {};
let server: Server;
let installation: Installation;

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

async function readActionName(request: IncomingMessage): Promise<string> {
  const body = await readBody(request);
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') {
    const {
      KeyId,
      TableName,
      QueueUrl,
      QueueNamePrefix,
      QuotaCode = '',
    } = JSON.parse(body) as Readonly<Record<string, string>>;
    return `${target.split('.')[1]} ${KeyId ?? TableName ?? QueueUrl ?? QueueNamePrefix ?? QuotaCode}`.trim();
  }
  return new URLSearchParams(body).get('Action') ?? `${request.method} ${request.url}`;
}

const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(value),
});
const refused = (type: string): Answer => json({ __type: type, message: 'refused' }, 400);
const xml = (operation: string, result: string): Answer => ({
  headers: { 'content-type': 'text/xml' },
  body:
    `<${operation}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${operation}Result>${result}` +
    `</${operation}Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></${operation}Response>`,
});

const variables = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};
const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const answer = answers[await readActionName(request)];
    response.sendDate = false;
    response.writeHead(answer?.status ?? (answer ? 200 : 404), answer?.headers);
    response.end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { ...variables, AWS_ENDPOINT_URL: origin });
  installation = {
    region: 'eu-central-1',
    mail: { identity: 'mail.example.com', mailFromDomain: 'bounce.mail.example.com' },
    configurationSet: 'otl-eu',
    production: true,
    unprotected: async () => [],
    leftOverStacks: async () => [],
    alarms: true,
    alarmTopics: async () => [],
    newestCopies: async () => [],
    smsLimitUsd: 100,
    queueConcurrency: 2,
    queuePrefixes: ['otl-eu-events-WebhooksQueue', 'otl-eu-events-NoticesQueue'],
    signingModes: ['kms'],
    es256: false,
    testIdentities: false,
    deviceBinding: 'offered',
    ignoreAlarms: false,
    keys: {},
    baseUrl: `${origin}/cis`,
    clock: `${origin}/ping`,
    tables: { directory: 'otl-eu-directory', people: 'otl-eu-people', flows: 'otl-eu-flows' },
  };
});
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Reads a fact that `otl doctor` checks, while the emulated AWS returns the given responses. */
async function read<T>(
  fact: (facts: Facts) => Promise<T>,
  given: Readonly<Record<string, Answer>>,
): Promise<T> {
  answers = given;
  const told = {
    signingKeys: async () => [],
    async *applications() {},
    async *clients() {},
    async *resourceUris() {},
  };
  return fact(awsFacts(installation, told));
}

const IDENTITY = 'GET /v2/email/identities/mail.example.com';
const identity = (VerifiedForSendingStatus: boolean, dkim: object, MailFromDomainStatus?: string) => ({
  [IDENTITY]: json({
    VerifiedForSendingStatus,
    DkimAttributes: dkim,
    MailFromAttributes: { MailFromDomain: 'bounce.mail.example.com', MailFromDomainStatus },
  }),
});
const Tokens = ['t1', 't2', 't3'];
const account = (ProductionAccessEnabled: boolean, SendingEnabled: boolean) => ({
  'GET /v2/email/account': json({
    ...{ ProductionAccessEnabled, SendingEnabled },
    SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 3 },
  }),
});
const told = (Enabled: boolean, ...MatchingEventTypes: readonly string[]) => ({
  'GET /v2/email/configuration-sets/otl-eu/event-destinations': json({
    EventDestinations: [{ Name: 'events', Enabled, MatchingEventTypes }],
  }),
});
const sms = (sandbox: boolean, limit?: number) => {
  const entry = `<entry><key>MonthlySpendLimit</key><value>${limit}</value></entry>`;
  return {
    GetSMSSandboxAccountStatus: xml('GetSMSSandboxAccountStatus', `<IsInSandbox>${sandbox}</IsInSandbox>`),
    GetSMSAttributes: xml('GetSMSAttributes', `<attributes>${limit ? entry : ''}</attributes>`),
  };
};
const queueUrl = (name: string) => `https://sqs.example/111122223333/otl-eu-events-${name}-1`;
const waiting = (number: string) => json({ Attributes: { ApproximateNumberOfMessages: number } });
const QUOTA = 'GetServiceQuota L-B99A9384';
const SMS_LIMITS = [
  { Name: 'VOICE_MESSAGE_MONTHLY_SPEND_LIMIT', MaxLimit: 7, EnforcedLimit: 7, Overridden: false },
  { Name: 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT', MaxLimit: 50, EnforcedLimit: 1, Overridden: true },
];
const ALIAS = 'alias/otl-eu-webhooks';
const key = (answer: Answer) => ({ [`DescribeKey ${ALIAS}`]: answer });
const TABLES = ['otl-eu-directory', 'otl-eu-people', 'otl-eu-flows'];
const ofTables = (operation: string, answer: Answer) =>
  Object.fromEntries(TABLES.map((name) => [`${operation} ${name}`, answer]));
const tables = (on: boolean, TableStatus = 'ACTIVE') => ({
  ...ofTables('DescribeTable', json({ Table: { TableStatus } })),
  ...ofTables(
    'DescribeContinuousBackups',
    json({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: on ? 'ENABLED' : 'DISABLED' },
      },
    }),
  ),
  ...ofTables(
    'DescribeTimeToLive',
    json({ TimeToLiveDescription: { TimeToLiveStatus: on ? 'ENABLED' : 'DISABLED' } }),
  ),
});
const missing = {
  'DescribeTable otl-eu-people': refused('ResourceNotFoundException'),
  'DescribeContinuousBackups otl-eu-people': refused('TableNotFoundException'),
  'DescribeTimeToLive otl-eu-people': refused('ResourceNotFoundException'),
};

type Case = readonly [
  title: string,
  fact: (facts: Facts) => Promise<unknown>,
  given: Readonly<Record<string, Answer>>,
  expected: unknown,
];
const sesAccount = (facts: Facts) => facts.sesAccount();
const sesIdentity = (facts: Facts) => facts.sesIdentity();
const sesTracking = (facts: Facts) => facts.sesTracking();
const concurrency = (facts: Facts) => facts.quota('functions at once');
const smsLimits = (facts: Facts) => facts.smsSpendLimits();
const keyEnabled = (facts: Facts) => facts.keyEnabled(ALIAS);
const pool = (smsPool: string) => () =>
  readSmsPoolState({ ...installation, smsPool, smsConfigurationSet: 'login' });
const SENDER = { status: 'ACTIVE', messageTypes: ['TRANSACTIONAL'] };
const poolAnswers = {
  DescribePools: json({ Pools: [{ Status: 'ACTIVE', MessageType: 'TRANSACTIONAL' }] }),
  DescribePhoneNumbers: json({ PhoneNumbers: [{ Status: 'PENDING', MessageType: 'PROMOTIONAL' }] }),
  DescribeSenderIds: json({ SenderIds: [{ MessageTypes: ['TRANSACTIONAL'] }] }),
  DescribeConfigurationSets: json({ ConfigurationSets: [{ ConfigurationSetName: 'login' }] }),
};
const noPool = { DescribePools: refused('ResourceNotFoundException') };
const noSet = { DescribeConfigurationSets: refused('ResourceNotFoundException') };
const tableFacts = (facts: Facts) => facts.tables();

const SIGNED = { SigningEnabled: true, Status: 'SUCCESS', Tokens };
const UNSIGNED = { SigningEnabled: false, Status: 'NOT_STARTED' };
const PENDING = { SigningEnabled: true, Status: 'PENDING', Tokens };
const QUOTAS_OF_MAIL = { mailsPerSecond: 14, mailsPerDay: 50_000, mailsSent: 3 };
const right = { active: true, timeToLive: true, recovery: true };
const wrong = { active: false, timeToLive: false, recovery: false };

test.each<Case>([
  [
    'the SES limits in production mode',
    sesAccount,
    account(true, true),
    { productionAccess: true, sendingEnabled: true, ...QUOTAS_OF_MAIL },
  ],
  [
    'that SES is in its sandbox',
    sesAccount,
    account(false, true),
    { productionAccess: false, sendingEnabled: true },
  ],
  [
    'that sending by SES is paused',
    sesAccount,
    account(true, false),
    { productionAccess: true, sendingEnabled: false },
  ],
  [
    'a verified SES identity',
    sesIdentity,
    identity(true, SIGNED, 'SUCCESS'),
    { verified: true, dkimSigned: true, dkimTokens: Tokens, mailFromVerified: true },
  ],
  [
    'an SES identity whose DNS records are missing',
    sesIdentity,
    identity(false, PENDING, 'PENDING'),
    { verified: false, dkimSigned: false, dkimTokens: Tokens, mailFromVerified: false },
  ],
  [
    'an SES identity whose MAIL FROM check failed',
    sesIdentity,
    identity(true, SIGNED, 'FAILED'),
    { mailFromVerified: false },
  ],
  [
    'an SES identity without DKIM',
    sesIdentity,
    identity(true, UNSIGNED),
    { verified: true, dkimSigned: false, dkimTokens: [], mailFromVerified: false },
  ],
  ['that SES reports only bounces and complaints', sesTracking, told(true, 'BOUNCE', 'COMPLAINT'), false],
  ['that SES tracks clicks', sesTracking, told(true, 'BOUNCE', 'CLICK'), true],
  ['that SES tracks opens', sesTracking, told(true, 'OPEN'), true],
  ['that tracking of opens is switched off', sesTracking, told(false, 'OPEN'), false],
  [
    'the SMS spending limit',
    (facts) => facts.sms(),
    sms(false, 100),
    { sandbox: false, monthlySpendLimit: 100 },
  ],
  [
    'that SMS is in its sandbox and has no spending limit',
    (facts) => facts.sms(),
    sms(true),
    { sandbox: true },
  ],
  [
    'the number of events that wait in both queues',
    (facts) => facts.waitingEvents(),
    {
      'ListQueues otl-eu-events-WebhooksQueue': json({ QueueUrls: [queueUrl('WebhooksQueue')] }),
      'ListQueues otl-eu-events-NoticesQueue': json({ QueueUrls: [queueUrl('NoticesQueue')] }),
      [`GetQueueAttributes ${queueUrl('WebhooksQueue')}`]: waiting('40'),
      [`GetQueueAttributes ${queueUrl('NoticesQueue')}`]: waiting('2'),
    },
    42,
  ],
  [
    'the Lambda concurrency quota of the account',
    concurrency,
    { [QUOTA]: json({ Quota: { Value: 10 } }) },
    10,
  ],
  [
    'the default Lambda concurrency quota if the account has none of its own',
    concurrency,
    {
      [QUOTA]: refused('NoSuchResourceException'),
      'GetAWSDefaultServiceQuota L-B99A9384': json({ Quota: { Value: 1000 } }),
    },
    1000,
  ],
  [
    'the highest allowed and the enforced SMS spending limit',
    smsLimits,
    { DescribeSpendLimits: json({ SpendLimits: SMS_LIMITS }) },
    { maximum: 50, enforced: 1 },
  ],
  [
    'that no SMS spending limit is listed',
    smsLimits,
    { DescribeSpendLimits: json({ SpendLimits: [] }) },
    { maximum: undefined, enforced: undefined },
  ],
  ['an active SMS pool', pool('arn:pool/1'), poolAnswers, { origin: SENDER, hasConfigurationSet: true }],
  ['that an SMS pool is missing', pool('arn:pool/1'), { ...poolAnswers, ...noPool }, { origin: undefined }],
  [
    'that an SMS configuration set is missing',
    pool('arn:pool/1'),
    { ...poolAnswers, ...noSet },
    { hasConfigurationSet: false },
  ],
  ['a pending phone number', pool('arn:phone-number/1'), poolAnswers, { origin: { status: 'PENDING' } }],
  ['the SMS sender ID', pool('arn:sender-id/SHOP/DE'), poolAnswers, { origin: SENDER }],
  ['that a KMS key is enabled', keyEnabled, key(json({ KeyMetadata: { KeyId: '1', Enabled: true } })), true],
  [
    'that a KMS key is disabled',
    keyEnabled,
    key(json({ KeyMetadata: { KeyId: '1', Enabled: false } })),
    false,
  ],
  [
    'the settings of correct tables',
    tableFacts,
    tables(true),
    TABLES.map((name) => ({ name, ...right, needsRecovery: !name.endsWith('flows') })),
  ],
  [
    'the settings of tables that were changed by hand',
    tableFacts,
    tables(false, 'ARCHIVED'),
    TABLES.map(() => wrong),
  ],
  ['that a table is missing', tableFacts, { ...tables(true), ...missing }, [right, wrong, right]],
])('otl doctor detects %s', async (_title, fact, given, expected) => {
  expect({ found: await read(fact, given) }).toMatchObject({ found: expected });
});

const gone = {
  ...json({ message: 'Email identity mail.example.com does not exist.' }, 404),
  headers: { 'x-amzn-errortype': 'NotFoundException' },
};

test.each<Case>([
  ['the SES identity does not exist', sesIdentity, { [IDENTITY]: gone }, 'NotFoundException'],
  ['the KMS key does not exist', keyEnabled, key(refused('NotFoundException')), 'NotFoundException'],
  [
    'AWS denies reading a quota',
    concurrency,
    { [QUOTA]: refused('AccessDeniedException') },
    'AccessDeniedException',
  ],
  [
    'AWS denies reading a table',
    tableFacts,
    { ...tables(true), ...ofTables('DescribeTimeToLive', refused('AccessDeniedException')) },
    'AccessDeniedException',
  ],
])('a check of otl doctor fails with the AWS error if %s', async (_title, fact, given, name) => {
  await expect(read(fact, given)).rejects.toMatchObject({ name });
});

describe('clock and HTTP checks of otl doctor', () => {
  test.each([0, 300, -300])(
    'otl doctor reports that the local clock is %d seconds ahead of the AWS clock',
    async (ahead) => {
      const date = new Date(Date.now() - ahead * 1000).toUTCString();
      const seconds = () => Math.round((Date.now() - Date.parse(date)) / 1000);
      const earliest = seconds();
      const skew = await read((facts) => facts.clockSkewSeconds(), { 'HEAD /ping': { headers: { date } } });
      expect(skew).toBeGreaterThanOrEqual(earliest);
      expect(skew).toBeLessThanOrEqual(seconds());
      expect(Math.sign(earliest - 2)).toBe(ahead > 0 ? 1 : -1);
    },
  );

  test('otl doctor reports that the clock cannot be checked if the AWS response has no Date header', async () => {
    await expect(read((facts) => facts.clockSkewSeconds(), { 'HEAD /ping': {} })).rejects.toThrow(
      'AWS returned no date',
    );
  });

  test('otl doctor reads the WWW-Authenticate header of a 401 response', async () => {
    const challenge = 'Bearer error="invalid_token"';
    const asked = (headers: Readonly<Record<string, string>>) =>
      read((facts) => facts.challenge(), { 'GET /cis/oidc/me': { status: 401, headers } });
    expect(await asked({ 'www-authenticate': challenge })).toBe(challenge);
    expect(await asked({})).toBeUndefined();
  });
});
