import { describe, expect, test } from '@jest/globals';
import { QUOTAS } from '../../lib/operator/doctor/quotas.ts';
import { examinePreflight } from '../../lib/operator/preflight/examine.ts';
import type { ExistingKind, PreflightFacts } from '../../lib/operator/preflight/facts.ts';
import type { Environment } from '../../lib/stacks/environments/environment.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { otlWith } from '../support/server/otl.ts';

const own = {
  OTL_ACCOUNT_EU: '111122223333',
  OTL_DOMAIN_EU: 'login.shop.test',
  OTL_MAIL_DOMAIN_EU: 'shop.test',
  OTL_ZONE_EU: 'Z0123456789/shop.test',
};
const createEnvironment = (variables: NodeJS.ProcessEnv): Environment => {
  const [environment] = environments('eu', variables);
  if (!environment) throw new Error('there is no eu');
  return environment;
};
const without = (...names: readonly (keyof typeof own)[]): Partial<PreflightFacts> => ({
  environment: createEnvironment(
    Object.fromEntries(Object.entries(own).filter(([name]) => !(names as readonly string[]).includes(name))),
  ),
});

const environment = createEnvironment(own);
const { region, mail, signingModes } = environment;
const good: PreflightFacts = {
  ...{ environment, region, mail, signingModes, smsLimitUsd: 100 },
  caller: async () => ({ account: '111122223333', arn: 'arn:aws:iam::111122223333:user/ann' }),
  bootstrapVersion: async () => 28,
  bootstrapQualifiers: async () => [],
  policyAgainstFunctionUrls: async () => undefined,
  zone: async () => zone({}),
  ns: async () => ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.com'],
  caa: async (name) => (name === 'shop.test' ? ['letsencrypt.org', 'amazon.com'] : undefined),
  answers: async () => true,
  foreignDeliveryLog: async () => undefined,
  existing: async () => [],
  sesAccount: async () => ({
    ...{ productionAccess: true, sendingEnabled: true },
    ...{ mailsPerSecond: 14, mailsPerDay: 50_000, mailsSent: 0 },
  }),
  sms: async () => ({ sandbox: false, monthlySpendLimit: 100 }),
  smsSpendLimits: async () => ({ maximum: 100, enforced: 100 }),
  quota: async (name) => QUOTAS[name].wanted,
};
function zone(change: object) {
  const servers = ['ns-1.awsdns-01.org', 'ns-9.awsdns-09.net'];
  return { name: 'shop.test', isPrivate: false, nameServers: servers, ...change };
}
/** Returns the facts of an account that already contains this resource. */
const holding = (kind: ExistingKind, name: string): Partial<PreflightFacts> => ({
  existing: async (asked) => (asked === kind ? [name] : []),
});
const zoneWith = (change: object): Partial<PreflightFacts> => ({ zone: async () => zone(change) });

describe('problems that otl preflight reports', () => {
  test('otl preflight reports no problem if the deployment can start', async () => {
    const findings = await examinePreflight(good);
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...['domain', 'credentials', 'account', 'bootstrap', 'zone', 'certificate', 'cloudfront'],
      ...['function-urls', 'sms-log'],
      ...['tables', 'key-aliases', 'mail-identity', 'log-groups', 'vaults', 'functions', 'host', 'records'],
      ...['lambda-concurrency', 'kms-signatures', 'ses-sandbox', 'ses-quota', 'sms', 'sms-quota'],
    ]);
  });

  test.each<[string, 'warn' | 'fail', Partial<PreflightFacts>, string]>([
    ['domain', 'fail', without('OTL_MAIL_DOMAIN_EU'), 'export OTL_MAIL_DOMAIN_EU=<your domain>'],
    ['account', 'warn', without('OTL_ACCOUNT_EU'), 'export OTL_ACCOUNT_EU=111122223333'],
    ['account', 'fail', { caller: async () => ({ account: '444455556666', arn: 'arn' }) }, ''],
    [
      'bootstrap',
      'fail',
      { bootstrapVersion: async (where) => (where === 'us-east-1' ? undefined : 28) },
      'npx cdk bootstrap aws://111122223333/us-east-1',
    ],
    [
      'bootstrap',
      'fail',
      { bootstrapVersion: async () => 5 },
      'npx cdk bootstrap aws://111122223333/eu-central-1 aws://111122223333/us-east-1',
    ],
    [
      'bootstrap',
      'fail',
      {
        environment: createEnvironment({ ...own, OTL_COPY_REGION_EU: 'eu-west-1' }),
        bootstrapVersion: async (where) => (where === 'eu-west-1' ? undefined : 28),
      },
      'npx cdk bootstrap aws://111122223333/eu-west-1',
    ],
    [
      'bootstrap',
      'fail',
      {
        environment: createEnvironment({ ...own, OTL_QUALIFIER_EU: 'corp1' }),
        bootstrapVersion: async () => undefined,
      },
      'aws://111122223333/us-east-1 --qualifier corp1 --toolkit-stack-name CDKToolkit-corp1',
    ],
    [
      'bootstrap',
      'fail',
      { bootstrapVersion: async () => undefined, bootstrapQualifiers: async () => ['corp1'] },
      'export OTL_QUALIFIER_EU=corp1',
    ],
    [
      'bootstrap',
      'fail',
      { bootstrapVersion: async () => undefined, bootstrapQualifiers: async () => ['corp1', 'corp2'] },
      'npx cdk bootstrap aws://111122223333/eu-central-1 aws://111122223333/us-east-1',
    ],
    [
      'bootstrap',
      'fail',
      {
        bootstrapVersion: async () => undefined,
        bootstrapQualifiers: async (where) => (where === 'us-east-1' ? [] : ['corp1']),
      },
      'npx cdk bootstrap aws://111122223333/eu-central-1 aws://111122223333/us-east-1',
    ],
    [
      'bootstrap',
      'fail',
      {
        bootstrapVersion: async () => undefined,
        bootstrapQualifiers: () => Promise.reject(new Error('AccessDeniedException')),
      },
      'npx cdk bootstrap aws://111122223333/eu-central-1 aws://111122223333/us-east-1',
    ],
    [
      'function-urls',
      'fail',
      { policyAgainstFunctionUrls: async () => 'service control policy' },
      'export OTL_FUNCTION_URLS_EU=off',
    ],
    ['zone', 'warn', without('OTL_ZONE_EU'), ''],
    ['zone', 'fail', { zone: async () => undefined }, 'aws route53 list-hosted-zones'],
    ['zone', 'fail', zoneWith({ isPrivate: true }), 'aws route53 list-hosted-zones'],
    ['zone', 'fail', zoneWith({ name: 'other.test' }), 'aws route53 list-hosted-zones'],
    ['zone', 'fail', { ns: async () => ['ns1.registrar.test'] }, ''],
    ['zone', 'fail', { ns: async () => [] }, ''],
    ['certificate', 'fail', { caa: async () => ['letsencrypt.org'] }, ''],
    ['cloudfront', 'warn', { answers: async () => false }, ''],
    ['sms-log', 'fail', { foreignDeliveryLog: async () => 'sns/x/1/Direct' }, 'aws logs delete-log-group'],
    ['tables', 'fail', holding('tables', 'otl-eu-people'), "npx cdk import '**/otl-eu-data'"],
    [
      'tables',
      'fail',
      holding('tables', 'otl-eu-people'),
      'aws dynamodb delete-table --table-name otl-eu-people',
    ],
    ['key-aliases', 'fail', holding('key-aliases', 'alias/otl-eu-codes'), 'aws kms delete-alias'],
    ['mail-identity', 'fail', holding('mail-identity', 'shop.test'), "npx cdk import '**/otl-eu-mail'"],
    ['log-groups', 'fail', holding('log-groups', 'otl-eu-operator'), 'aws logs delete-log-group'],
    ['vaults', 'fail', holding('vaults', 'otl-eu'), "npx cdk import '**/otl-eu-backup'"],
    ['functions', 'fail', holding('functions', 'otl-eu-meta-health'), 'aws lambda delete-function'],
    ['host', 'fail', holding('host', 'login.shop.test of E1'), 'get-distribution-config --id E1'],
    ['records', 'fail', holding('records', 'login.shop.test. A'), '--hosted-zone-id Z0123456789'],
    // These two problems do not prevent the deployment, so their status is `warn`.
    ['sms', 'warn', { sms: async () => ({ sandbox: true, monthlySpendLimit: 1 }) }, ''],
    ['zone', 'warn', { zone: () => Promise.reject(new Error('no answer')) }, ''],
  ])(
    'otl preflight reports a problem found by the check %s with the status %s',
    async (check, status, fault, command) => {
      const findings = await examinePreflight({ ...good, ...fault });
      const found = findings.filter((finding) => finding.status !== 'ok');
      expect(found).toMatchObject([
        { check, status, detail: expect.stringMatching(/\w/), advice: expect.stringMatching(/\w.*\.$/) },
      ]);
      expect(found[0]?.command ?? '').toContain(command);
    },
  );

  test('otl preflight skips checks of public function URL policies if no function is public', async () => {
    const findings = await examinePreflight({
      ...good,
      environment: createEnvironment({ ...own, OTL_FUNCTION_URLS_EU: 'off' }),
      policyAgainstFunctionUrls: () => Promise.reject(new Error('asked')),
    });
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  test('if the AWS credentials are invalid, otl preflight stops after its first AWS call', async () => {
    const caller = () => Promise.reject(new Error('none'));
    const findings = await examinePreflight({ ...good, caller });
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['domain', 'ok'],
      ['credentials', 'fail'],
    ]);
  });

  test.each([
    [['preflight'], 'Name the environment'],
    [['preflight', 'moon'], 'There is no environment "moon"'],
    [['--env', 'us', 'preflight', 'eu'], 'Name one environment'],
    [['--endpoint', 'http://localhost:3000', 'preflight', 'eu'], 'A local server is not deployed'],
  ])('otl preflight exits with a usage error for the arguments %j', async (args, message) => {
    expect(await otlWith({}, args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
