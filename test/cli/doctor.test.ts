import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { toOutcome } from '../../bin/otl/examine/findings.ts';
import { printForPeople } from '../../bin/otl/terminal/print.ts';
import { examine } from '../../lib/operator/doctor/examine.ts';
import type { AlarmTopic, Facts } from '../../lib/operator/doctor/facts.ts';
import { QUOTAS, type QuotaName } from '../../lib/operator/doctor/quotas.ts';
import type { Application } from '../../shared/ports/directory.ts';
import { otlAsProcess, otlWith } from '../support/server/otl.ts';
import { someApplication, someClient, someSigningKey } from '../support/server/records.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';

jest.setTimeout(120_000);

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const identity = 'mail.example.com';
const mailFromDomain = 'bounce.mail.example.com';
const good: Facts = {
  region: 'eu-central-1',
  mail: { identity, mailFromDomain },
  production: true,
  unprotected: async () => [],
  leftOverStacks: async () => [],
  alarms: true,
  alarmTopics: async () => [topic({})],
  newestCopies: async () => [copy(new Date(Date.now() - 35 * HOUR))],
  certificateEnd: async () => new Date(Date.now() + 31 * DAY),
  smsLimitUsd: 100,
  queueConcurrency: 2,
  signingModes: ['kms'],
  es256: false,
  testIdentities: false,
  deviceBinding: 'offered',
  ignoreAlarms: false,
  keys: { tables: 'alias/otl-eu-tables', webhooks: 'alias/otl-eu-webhooks' },
  sesAccount: async () => account({}),
  smsSpendLimits: async () => ({ maximum: 100, enforced: 100 }),
  quota: async (name) => QUOTAS[name].wanted,
  waitingEvents: async () => 0,
  sesIdentity: async () => ({ verified: true, dkimSigned: true, dkimTokens: ['t1'], mailFromVerified: true }),
  sesTracking: async () => false,
  senders: async () => [],
  smsPoolState: () => Promise.reject(new Error('asked without a pool')),
  sms: async () => ({ sandbox: false, monthlySpendLimit: 100 }),
  txt: async (name) =>
    name.startsWith('_dmarc.') ? ['v=DMARC1; p=quarantine'] : ['v=spf1 include:amazonses.com ~all'],
  mx: async () => ['feedback-smtp.eu-central-1.amazonses.com'],
  cname: async () => ['t1.dkim.amazonses.com'],
  tables: async () => [table({})],
  signingKeys: async () => [someSigningKey({ state: 'current' })],
  keyEnabled: async () => true,
  clockSkewSeconds: async () => 0,
  async *applications() {
    yield someApplication({ redirectUris: ['https://shop.example.com/'], loginPreferences: { email: {} } });
  },
  async *clients() {
    yield someClient();
  },
  async *resourceUris() {
    yield { uri: 'https://api.example.com/', tenantId: 'one', owner: 'one', hostTenantId: 'one' };
  },
  challenge: async () => 'Bearer error="invalid_token"',
};
function account(change: Partial<Awaited<ReturnType<Facts['sesAccount']>>>) {
  const limits = { mailsPerSecond: 14, mailsPerDay: 50_000, mailsSent: 40_000 };
  return { productionAccess: true, sendingEnabled: true, ...limits, ...change };
}
function topic(change: Partial<AlarmTopic>): AlarmTopic {
  const arn = 'arn:aws:sns:us-east-1:111122223333:otl-eu-global-Alarms';
  return { region: 'us-east-1', arn, confirmed: 1, pending: [], ...change };
}
const copy = (madeAt: Date | undefined) => ({ vault: 'otl-eu', table: 'otl-eu-people', madeAt });
function table(change: Partial<Awaited<ReturnType<Facts['tables']>>[number]>) {
  const needs = { needsTimeToLive: true, needsRecovery: true };
  return {
    name: 'people',
    active: true,
    timeToLive: true,
    recovery: true,
    ...needs,
    ...change,
  };
}
const identityWith = (change: object): Partial<Facts> => ({
  sesIdentity: async () => ({ ...(await good.sesIdentity()), ...change }),
});
const pooled = (change: object): Partial<Facts> => ({
  smsPool: 'arn:aws:sms-voice:eu-central-1:111122223333:pool/pool-1',
  smsConfigurationSet: 'login',
  smsPoolState: async () => ({
    origin: { status: 'ACTIVE', messageTypes: ['TRANSACTIONAL'] },
    hasConfigurationSet: true,
    ...change,
  }),
});
const pooledUpTo = (enforced: number | undefined): Partial<Facts> => ({
  ...pooled({}),
  smsSpendLimits: async () => ({ maximum: 100, enforced }),
});
const tableWith = (change: object): Partial<Facts> => ({ tables: async () => [table(change)] });
const limitedTo = (monthlySpendLimit: number | undefined): Partial<Facts> => ({
  sms: async () => ({ sandbox: false, monthlySpendLimit }),
});
const fresh = (name: QuotaName, value: number): Partial<Facts> => ({
  quota: async (asked) => (asked === name ? value : QUOTAS[asked].wanted),
});
const sealed = { ciphertext: 'c2VhbGVk', context: {} };
const resource = { uri: 'https://api.example.com/', tenantId: 'one', owner: 'one', hostTenantId: undefined };
const withResources = (...found: object[]): Partial<Facts> => ({
  async *resourceUris() {
    for (const change of found) yield { ...resource, ...change };
  },
});
const applying = (change: Partial<Application>): Partial<Facts> => ({
  async *applications() {
    yield someApplication(change);
  },
});
const redirecting = (uri: string) => applying({ redirectUris: [uri], loginPreferences: { email: {} } });

describe('problems that otl doctor reports', () => {
  test('otl doctor reports no problem in a healthy environment', async () => {
    const findings = await examine(good);
    expect(findings.length).toBeGreaterThan(17);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  test.each<[string, 'warn' | 'fail', Partial<Facts>]>([
    ['ses-identity', 'fail', identityWith({ verified: false })],
    ['ses-dkim', 'fail', identityWith({ dkimSigned: false })],
    ['ses-mail-from', 'warn', identityWith({ mailFromVerified: false })],
    ['ses-sandbox', 'fail', { sesAccount: async () => account({ productionAccess: false }) }],
    ['ses-sandbox', 'warn', { mail: { ...good.mail, sandbox: true } }],
    ['ses-sandbox', 'fail', { sesAccount: async () => account({ sendingEnabled: false }) }],
    ['ses-quota', 'warn', { sesAccount: async () => account({ mailsPerSecond: 1 }) }],
    ['lambda-concurrency', 'warn', fresh('functions at once', 10)],
    ['queue-concurrency', 'warn', { waitingEvents: async () => 1000 }],
    ['queue-concurrency', 'warn', { queueConcurrency: 251 }],
    ['kms-signatures', 'warn', fresh('RSA operations a second', 100)],
    ['sms-quota', 'warn', { smsSpendLimits: async () => ({ maximum: 1, enforced: 1 }) }],
    ['ses-tracking', 'fail', { sesTracking: async () => true }],
    ['dns-mx', 'warn', { mx: async () => ['mail.example.com'] }],
    ['sms', 'fail', { sms: async () => ({ sandbox: true, monthlySpendLimit: 100 }) }],
    ['sms-limit', 'warn', limitedTo(1)],
    ['sms-limit', 'warn', limitedTo(99)],
    ['sms-limit', 'fail', limitedTo(101)],
    ['sms-limit', 'warn', limitedTo(undefined)],
    ['sms-pool', 'fail', pooled({ origin: undefined })],
    ['sms-pool', 'fail', pooled({ origin: { status: 'CREATING', messageTypes: ['TRANSACTIONAL'] } })],
    ['sms-pool', 'fail', pooled({ origin: { status: 'ACTIVE', messageTypes: ['PROMOTIONAL'] } })],
    ['sms-pool', 'fail', pooled({ hasConfigurationSet: false })],
    ['sms-pool-limit', 'fail', pooledUpTo(101)],
    ['sms-pool-limit', 'warn', pooledUpTo(1)],
    ['sms-pool-limit', 'warn', pooledUpTo(undefined)],
    ['tables', 'fail', tableWith({ active: false })],
    ['tables', 'fail', tableWith({ timeToLive: false })],
    ['tables', 'fail', tableWith({ recovery: false })],
    ['protection', 'fail', { unprotected: async () => ['otl-eu-data'] }],
    ['areas', 'warn', { leftOverStacks: async () => ['otl-eu-api-social'] }],
    ['signing-keys', 'fail', { signingKeys: async () => [] }],
    ['signing-keys', 'fail', { keyEnabled: async (key) => key.startsWith('alias/') }],
    ['signing-keys', 'fail', { es256: true }],
    [
      'es256',
      'warn',
      {
        clients: async function* () {
          yield someClient({ idTokenSignedResponseAlg: 'ES256' });
        },
      },
    ],
    [
      'es256',
      'warn',
      {
        signingKeys: async () =>
          (['RS256', 'ES256'] as const).map((alg) => someSigningKey({ alg, state: 'current' })),
      },
    ],
    [
      'signing-modes',
      'fail',
      { signingKeys: async () => [{ ...someSigningKey({ state: 'current' }), sealed }] },
    ],
    ['signing-modes', 'fail', { signingModes: ['kms-envelope'] }],
    ['keys', 'fail', { keyEnabled: async (key) => key !== 'alias/otl-eu-webhooks' }],
    ['clock', 'fail', { clockSkewSeconds: async () => 300 }],
    ['clock', 'fail', { clockSkewSeconds: async () => -300 }],
    ['callback-urls', 'warn', redirecting('http://localhost:8080/cb')],
    ['test-identities', 'warn', { testIdentities: true }],
    ['ignored-alarms', 'warn', { ignoreAlarms: true }],
    ['device-binding', 'warn', { deviceBinding: 'off' }],
    ['senders', 'fail', { senders: async () => [{ what: 'SMS', arn: 'arn:sender', state: undefined }] }],
    ['senders', 'fail', { senders: async () => [{ what: 'SMS', arn: 'arn:sender', state: 'Failed' }] }],
    [
      'test-identities',
      'warn',
      { testIdentities: true, ...applying({ testIdentities: true, loginPreferences: { email: {} } }) },
    ],
    ['login-methods', 'warn', applying({ loginPreferences: {} })],
    ['login-methods', 'warn', applying({})],
    [
      'replaced-providers',
      'warn',
      applying({ loginPreferences: { google: { clientId: 'shop', issuer: 'https://id.example.com' } } }),
    ],
    ['resource-uris', 'warn', withResources({ owner: undefined })],
    ['resource-uris', 'warn', withResources({ owner: 'two' })],
    ['resource-uris', 'warn', withResources({ hostTenantId: 'two' })],
    ['edge', 'fail', { challenge: async () => undefined }],
    ['alarm-receivers', 'fail', { alarmTopics: async () => [topic({ pending: ['ops@example.com'] })] }],
    ['alarm-receivers', 'warn', { alarmTopics: async () => [topic({}), topic({ confirmed: 0 })] }],
    ['mails-today', 'warn', { sesAccount: async () => account({ mailsSent: 40_001 }) }],
    ['certificate', 'fail', { certificateEnd: async () => new Date(Date.now() + 30 * DAY - HOUR) }],
    ['certificate', 'fail', { certificateEnd: async () => new Date(Date.now() - DAY) }],
    [
      'copies',
      'fail',
      { newestCopies: async () => [copy(new Date()), copy(new Date(Date.now() - 37 * HOUR))] },
    ],
    ['copies', 'warn', { newestCopies: async () => [copy(undefined)] }],
    ['clock', 'warn', { clockSkewSeconds: () => Promise.reject(new Error('no answer')) }],
  ])(
    'otl doctor reports a problem found by the check %s with the status %s',
    async (check, status, fault) => {
      const findings = await examine({ ...good, ...fault });
      expect(findings.filter((finding) => finding.status !== 'ok')).toMatchObject([
        { check, status, detail: expect.stringMatching(/\w/), advice: expect.stringMatching(/\w.*\.$/) },
      ]);
    },
  );

  test.each([
    [1000, 'Raise OTL_QUEUE_CONCURRENCY of the environment, at most to 250, and deploy.'],
    [10, 'Request a higher quota of Lambda first (lambda-concurrency).'],
  ])(
    'if events queue up and the Lambda concurrency quota is %d, otl doctor explains how to shorten the queue',
    async (quota, advice) => {
      const findings = await examine({
        ...good,
        ...fresh('functions at once', quota),
        waitingEvents: async () => 201,
      });
      expect(findings.find(({ check }) => check === 'queue-concurrency')).toMatchObject({
        detail: 'webhooks and notices each run in at most 2 functions at once, and 201 events wait',
        advice: expect.stringContaining(advice),
      });
    },
  );

  test('otl doctor prints the command that sends a new confirmation mail for alarms', async () => {
    const alarmTopics = async () => [topic({ pending: ['ops@example.com'] })];
    const findings = await examine({ ...good, alarmTopics });
    expect(findings.find(({ check }) => check === 'alarm-receivers')).toMatchObject({
      detail: 'not confirmed: ops@example.com in us-east-1',
      command: `aws sns subscribe --region us-east-1 --topic-arn ${topic({}).arn} --protocol email --notification-endpoint 'ops@example.com'`,
    });
  });

  test('otl doctor requires no alarm address if alarms are off, and no backups outside production', async () => {
    const absent = () => Promise.reject(new Error('asked'));
    const findings = await examine({
      ...good,
      ...{ alarms: false, production: false, alarmTopics: absent, newestCopies: absent },
    });
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  test('otl doctor prints the command that enables a disabled KMS key', async () => {
    const isEnabled = async (key: string) => key !== 'alias/otl-eu-webhooks';
    const findings = await examine({ ...good, keyEnabled: isEnabled });
    const { command } = findings.find(({ check }) => check === 'keys') ?? {};
    expect(command).toMatch(/^aws kms enable-key .*--key-id alias\/otl-eu-webhooks .*\)$/);
  });

  test('otl doctor accepts an active SMS pool with its configuration set', async () => {
    const findings = await examine({ ...good, ...pooled({}) });
    const [pool, limit] = ['sms-pool', 'sms-pool-limit'].map((name) =>
      findings.find(({ check }) => check === name),
    );
    expect(pool).toMatchObject({ status: 'ok', detail: expect.stringMatching(/pool-1 is active.* login$/) });
    expect(limit).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^SMS of End User Messaging stop/),
    });
  });

  test('otl doctor states that otl login does not use device-bound sessions, even if they are required', async () => {
    const findings = await examine({ ...good, deviceBinding: 'required' });
    expect(findings.find(({ check }) => check === 'device-binding')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^required at the console; otl login /),
    });
  });

  test('otl doctor explains how to raise the low quotas of a new AWS account', async () => {
    const findings = await examine({
      ...good,
      ...fresh('functions at once', 10),
      sesAccount: async () => account({ productionAccess: false, mailsPerSecond: 1, mailsPerDay: 200 }),
      smsSpendLimits: async () => ({ maximum: 1, enforced: 1 }),
    });
    const of = (name: string) => findings.find(({ check }) => check === name);
    expect(of('lambda-concurrency')).toMatchObject({
      detail: 'Lambda runs 10 functions at once: about 50 logins a second',
      command:
        'aws service-quotas request-service-quota-increase --region eu-central-1 --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
    });
    expect(of('kms-signatures')?.detail).toBe('KMS signs 500 tokens a second: 250 logins a second');
    expect(of('ses-quota')?.detail).toBe('SES sends 1 mails a second and 200 a day: as many logins by mail');
    expect(of('ses-sandbox')?.command).toMatch(/^aws sesv2 put-account-details --region eu-central-1 /);
    expect(of('sms-quota')?.advice).toContain('1 USD are 10 to 100 logins');
    // In the signing mode kms-envelope, functions sign without KMS, so the KMS quota does not matter.
    const sealedFacts: Facts = { ...good, signingModes: ['kms-envelope', 'kms'] };
    const unasked = { ...sealedFacts, quota: () => Promise.reject(new Error('asked')) };
    expect((await examine(unasked)).find(({ check }) => check === 'kms-signatures')?.status).toBe('ok');
  });

  test.each<[string, 'warn' | 'fail', Partial<Facts>]>([
    ['dns-spf', 'fail', { txt: async (name) => (name.startsWith('_dmarc.') ? good.txt(name) : []) }],
    [
      'dns-spf',
      'fail',
      { txt: async (name) => (name.startsWith('_dmarc.') ? good.txt(name) : ['v=spf1 -all']) },
    ],
    ['dns-dkim', 'fail', { cname: async () => [] }],
    ['dns-dkim', 'fail', { cname: async () => ['other.dkim.amazonses.com'] }],
    ['dns-dmarc', 'fail', { txt: async (name) => (name.startsWith('_dmarc.') ? [] : good.txt(name)) }],
    [
      'dns-dmarc',
      'warn',
      { txt: async (name) => (name.startsWith('_dmarc.') ? ['v=DMARC1; p=none'] : good.txt(name)) },
    ],
  ])(
    'N135 otl doctor reports a problem found by the mail check %s with the status %s',
    async (check, status, fault) => {
      const findings = await examine({ ...good, ...fault });
      expect(findings.filter((finding) => finding.status !== 'ok')).toMatchObject([{ check, status }]);
    },
  );
});

const findLongLines = (text: string) => text.split('\n').filter(({ length }) => length > 120);

describe('otl doctor run against a local server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ rateLimits: 'off' });
  });
  afterAll(() => server.stop());

  test('otl doctor can check a local server', async () => {
    const { code, stdout } = await otlWith({ OTL_ENDPOINT: server.url }, ['doctor', '--json']);
    const { result } = JSON.parse(stdout) as { result: { check: string; status: string; detail: string }[] };
    const findStatus = (name: string) => result.find(({ check }) => check === name)?.status;
    expect(code).toBe(0);
    for (const check of ['signing-keys', 'client-codes', 'keys', 'login-methods', 'settings-off'])
      expect([check, findStatus(check)]).toEqual([check, 'ok']);
    for (const check of ['dns-spf', 'ses-quota', 'tables', 'callback-urls', 'test-identities'])
      expect([check, findStatus(check)]).toEqual([check, undefined]);
  });

  test('otl doctor --notify is rejected for a local server, which has no alarms', async () => {
    const { code, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, ['doctor', '--notify']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('A local server has no alarms')]);
  });

  test('otl doctor on a local server names the command for deployed environments and prints short lines', async () => {
    const { stdout, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, ['doctor']);
    expect(stdout).toContain('without a challenge,');
    expect(stderr).toContain('otl --env <name> doctor');
    expect(findLongLines(stdout + stderr)).toEqual([]);
  });

  test('otl doctor does not truncate words that are longer than a column', () => {
    const arn = `arn:aws:kms:eu-central-1:123456789012:key/${'0a1b2c3d-'.repeat(12)}`;
    const written: string[] = [];
    const paper = { write: (text: string) => void written.push(text), colours: false };
    const advice = 'Enable the key, and find out who disabled it. '.repeat(4);
    const { outcome } = toOutcome([{ check: 'keys', status: 'fail', detail: `disabled: ${arn}`, advice }]);
    printForPeople(outcome, paper, () => {});
    const printed = written.join('');
    expect(findLongLines(printed)).toEqual([]);
    expect(printed).not.toContain('…');
    const found = printed.split('\n').map((line) => line.slice('STATUS  CHECK  '.length).split(/ {2,}/)[0]);
    expect(found.join('')).toContain(arn);
  });

  test('otl doctor exits with an error if no deployed environment or local server is named', async () => {
    const { code, stderr } = await otlAsProcess({}, ['doctor']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name the target')]);
  });
});
