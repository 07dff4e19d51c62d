import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awsFacts, type Installation } from '../../lib/operator/doctor/aws-facts.ts';
import type { Facts } from '../../lib/operator/doctor/facts.ts';

/*
 * What AWS would answer, in its own protocols, to the clients of its SDK: JSON by target (DynamoDB, KMS), REST (SES), and the
 * query protocol with XML (SNS). Each fact is read from one answer as it should be and from others.
 */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By the operation, or by method and path where a call has no other name. Any other call gets 404, and no date. */
let answers: Readonly<Record<string, Answer>> = {};
let server: Server;
let installation: Installation;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

async function nameOf(request: IncomingMessage): Promise<string> {
  const body = await bodyOf(request);
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') {
    const { KeyId, TableName, QuotaCode = '' } = JSON.parse(body) as Readonly<Record<string, string>>;
    return `${target.split('.')[1]} ${KeyId ?? TableName ?? QuotaCode}`.trim();
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
    const answer = answers[await nameOf(request)];
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
    smsLimitUsd: 100,
    signingModes: ['kms'],
    es256: false,
    testIdentities: false,
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

/** What is read when AWS answers so. */
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

describe('the doctor reads of SES', () => {
  test.each([
    [true, true],
    [false, true],
    [true, false],
  ])('production access %s, sending enabled %s', async (productionAccess, sendingEnabled) => {
    const SendQuota = { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 3 };
    const account = json({
      ...{ ProductionAccessEnabled: productionAccess, SendingEnabled: sendingEnabled, SendQuota },
    });
    expect(await read((facts) => facts.sesAccount(), { 'GET /v2/email/account': account })).toEqual({
      productionAccess,
      sendingEnabled,
      mailsPerSecond: 14,
      mailsPerDay: 50_000,
    });
  });

  test.each([
    ['verified', true, 'SUCCESS', 'SUCCESS', [true, true, true]],
    ['waiting for its records', false, 'PENDING', 'PENDING', [false, false, false]],
    ['with a failed MAIL FROM', true, 'SUCCESS', 'FAILED', [true, true, false]],
  ] as const)('an identity %s', async (_what, verified, dkim, mailFrom, expected) => {
    const identity = json({
      VerifiedForSendingStatus: verified,
      DkimAttributes: { SigningEnabled: true, Status: dkim, Tokens: ['t1', 't2', 't3'] },
      MailFromAttributes: { MailFromDomain: 'bounce.mail.example.com', MailFromDomainStatus: mailFrom },
    });
    const found = await read((facts) => facts.sesIdentity(), {
      'GET /v2/email/identities/mail.example.com': identity,
    });
    expect([found.verified, found.dkimSigned, found.mailFromVerified]).toEqual(expected);
    expect(found.dkimTokens).toEqual(['t1', 't2', 't3']);
  });

  test('an identity without DKIM', async () => {
    const found = await read((facts) => facts.sesIdentity(), {
      'GET /v2/email/identities/mail.example.com': json({
        VerifiedForSendingStatus: true,
        DkimAttributes: { SigningEnabled: false, Status: 'NOT_STARTED' },
      }),
    });
    expect(found).toEqual({ verified: true, dkimSigned: false, dkimTokens: [], mailFromVerified: false });
  });

  test.each([
    ['bounces alone', true, ['BOUNCE', 'COMPLAINT'], false],
    ['clicks', true, ['BOUNCE', 'CLICK'], true],
    ['opens', true, ['OPEN'], true],
    ['opens to a destination that is switched off', false, ['OPEN'], false],
  ] as const)('that it tells of %s', async (_what, Enabled, MatchingEventTypes, expected) => {
    const destinations = json({ EventDestinations: [{ Name: 'events', Enabled, MatchingEventTypes }] });
    expect(
      await read((facts) => facts.sesTracking(), {
        'GET /v2/email/configuration-sets/otl-eu/event-destinations': destinations,
      }),
    ).toBe(expected);
  });

  test('no answer where the identity is not there', async () => {
    const missing = {
      ...json({ message: 'Email identity mail.example.com does not exist.' }, 404),
      headers: { 'x-amzn-errortype': 'NotFoundException' },
    };
    await expect(
      read((facts) => facts.sesIdentity(), { 'GET /v2/email/identities/mail.example.com': missing }),
    ).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('the doctor reads of SNS', () => {
  test.each([
    ['out of the sandbox, with a limit', false, '100', 100],
    ['in the sandbox, without one', true, undefined, undefined],
  ] as const)('an account %s', async (_what, sandbox, limit, monthlySpendLimit) => {
    const entry = `<entry><key>MonthlySpendLimit</key><value>${limit}</value></entry>`;
    expect(
      await read((facts) => facts.sms(), {
        GetSMSSandboxAccountStatus: xml(
          'GetSMSSandboxAccountStatus',
          `<IsInSandbox>${sandbox}</IsInSandbox>`,
        ),
        GetSMSAttributes: xml('GetSMSAttributes', `<attributes>${limit ? entry : ''}</attributes>`),
      }),
    ).toEqual({ sandbox, monthlySpendLimit });
  });
});

describe('the doctor reads of quotas', () => {
  const concurrency = (given: Readonly<Record<string, Answer>>) =>
    read((facts) => facts.quota('functions at once'), given);

  test('the value of the account, or else the default of AWS', async () => {
    const fresh = { 'GetServiceQuota L-B99A9384': json({ Quota: { Value: 10 } }) };
    const unchanged = {
      'GetServiceQuota L-B99A9384': refused('NoSuchResourceException'),
      'GetAWSDefaultServiceQuota L-B99A9384': json({ Quota: { Value: 1000 } }),
    };
    expect([await concurrency(fresh), await concurrency(unchanged)]).toEqual([10, 1000]);
    const denied = { 'GetServiceQuota L-B99A9384': refused('AccessDeniedException') };
    await expect(concurrency(denied)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('what SMS may cost in a month', async () => {
    const limits = [
      { Name: 'VOICE_MESSAGE_MONTHLY_SPEND_LIMIT', MaxLimit: 7, EnforcedLimit: 7, Overridden: false },
      { Name: 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT', MaxLimit: 50, EnforcedLimit: 1, Overridden: true },
    ];
    const asked = (SpendLimits: object[]) =>
      read((facts) => facts.smsQuotaUsd(), { DescribeSpendLimits: json({ SpendLimits }) });
    expect([await asked(limits), await asked([])]).toEqual([50, undefined]);
  });
});

describe('the doctor reads of KMS', () => {
  const alias = 'alias/otl-eu-webhooks';
  test.each([
    ['enabled', true, true],
    ['disabled', false, false],
  ] as const)('a key that is %s', async (_what, Enabled, expected) => {
    const described = json({ KeyMetadata: { KeyId: '1', Enabled } });
    expect(await read((facts) => facts.keyEnabled(alias), { [`DescribeKey ${alias}`]: described })).toBe(
      expected,
    );
  });

  test('no answer where the key is not there', async () => {
    await expect(
      read((facts) => facts.keyEnabled(alias), { [`DescribeKey ${alias}`]: refused('NotFoundException') }),
    ).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('the doctor reads of DynamoDB', () => {
  const names = ['otl-eu-directory', 'otl-eu-people', 'otl-eu-flows'];
  const each = (operation: string, answer: Answer) =>
    Object.fromEntries(names.map((name) => [`${operation} ${name}`, answer]));
  const tables = (on: boolean, status = 'ACTIVE') => ({
    ...each('DescribeTable', json({ Table: { TableStatus: status } })),
    ...each(
      'DescribeContinuousBackups',
      json({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: on ? 'ENABLED' : 'DISABLED' },
        },
      }),
    ),
    ...each(
      'DescribeTimeToLive',
      json({ TimeToLiveDescription: { TimeToLiveStatus: on ? 'ENABLED' : 'DISABLED' } }),
    ),
  });

  test.each([
    ['as they should be', tables(true), { active: true, timeToLive: true, recovery: true }],
    [
      'that was changed by hand',
      tables(false, 'ARCHIVED'),
      { active: false, timeToLive: false, recovery: false },
    ],
  ])('tables %s', async (_what, given, expected) => {
    const found = await read((facts) => facts.tables(), given);
    expect(found).toMatchObject(names.map((name) => ({ name, ...expected })));
    expect(found.map(({ needsRecovery }) => needsRecovery)).toEqual([true, true, false]);
  });

  test('a table that is not there', async () => {
    const missing = Object.fromEntries(
      Object.keys(tables(true))
        .filter((call) => call.endsWith('people'))
        .map((call) => [
          call,
          refused(call.includes('Backups') ? 'TableNotFoundException' : 'ResourceNotFoundException'),
        ]),
    );
    const found = await read((facts) => facts.tables(), { ...tables(true), ...missing });
    expect(found.map(({ active }) => active)).toEqual([true, false, true]);
  });

  test('no answer where it may not ask: that is no table that is missing', async () => {
    const given = { ...tables(true), ...each('DescribeTimeToLive', refused('AccessDeniedException')) };
    await expect(read((facts) => facts.tables(), given)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});

describe('the doctor reads of the outside', () => {
  test.each([0, 300, -300])('a clock that is %d seconds ahead', async (ahead) => {
    const date = new Date(Date.now() - ahead * 1000).toUTCString();
    const seconds = () => Math.round((Date.now() - Date.parse(date)) / 1000);
    const earliest = seconds();
    const skew = await read((facts) => facts.clockSkewSeconds(), { 'HEAD /ping': { headers: { date } } });
    expect(skew).toBeGreaterThanOrEqual(earliest);
    expect(skew).toBeLessThanOrEqual(seconds());
    expect(Math.sign(earliest - 2)).toBe(ahead > 0 ? 1 : -1);
  });

  test('no time of an answer without a date', async () => {
    await expect(read((facts) => facts.clockSkewSeconds(), { 'HEAD /ping': {} })).rejects.toThrow(
      'AWS told no time',
    );
  });

  test('the challenge of a call without a token, and that there is none', async () => {
    const challenge = 'Bearer error="invalid_token"';
    const asked = (headers: Readonly<Record<string, string>>) =>
      read((facts) => facts.challenge(), { 'GET /cis/oidc/me': { status: 401, headers } });
    expect(await asked({ 'www-authenticate': challenge })).toBe(challenge);
    expect(await asked({})).toBeUndefined();
  });
});
