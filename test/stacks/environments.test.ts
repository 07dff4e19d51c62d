import { describe, expect, test } from '@jest/globals';
import { environmentNames, toBaseUrl, toOrigin } from '../../lib/stacks/environments/environment.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { deployable, missingDomains } from '../../lib/stacks/environments/operator-settings.ts';

describe('settings of the deployment environments', () => {
  test('the six environments have the expected AWS regions', () => {
    expect(environments(undefined, {}).map(({ name, region }) => [name, region])).toEqual([
      ['sandbox', 'us-east-1'],
      ['us', 'us-east-1'],
      ['eu', 'eu-central-1'],
      ['ca', 'ca-central-1'],
      ['au', 'ap-southeast-2'],
      ['jp', 'ap-northeast-1'],
    ]);
    expect(environments(undefined, {}).map(({ name }) => name)).toEqual([...environmentNames]);
  });

  test('each environment has its own domain, and its URLs use this domain', () => {
    const all = environments(undefined, {});
    expect(new Set(all.map(({ domain }) => domain)).size).toBe(all.length);
    for (const environment of all) {
      expect(toOrigin(environment)).toBe(`https://${environment.domain}`);
      expect(new URL(toBaseUrl(environment)).href).toBe(`https://${environment.domain}/cis`);
    }
  });

  test('each environment sends emails from its own SES identity', () => {
    for (const { mail } of environments(undefined, {}))
      expect([mail.from, mail.from.split('@')[1]]).toContain(mail.identity);
  });

  test('the error for an unknown environment name lists the known names', () => {
    expect(environments('jp', {}).map(({ name }) => name)).toEqual(['jp']);
    expect(() => environments('moon', {})).toThrow(
      'There is no environment "moon". Environments: sandbox, us, eu, ca, au, jp.',
    );
  });

  test('each environment reads its AWS account from its own environment variable', () => {
    const [eu] = environments('eu', { OTL_ACCOUNT_EU: '111122223333', OTL_ACCOUNT_US: '444455556666' });
    expect(eu?.account).toBe('111122223333');
    expect(environments('eu', {})[0]).not.toHaveProperty('account');
    expect(environments('eu', { OTL_ACCOUNT_EU: '' })[0]).not.toHaveProperty('account');
    expect(() => environments('eu', { OTL_ACCOUNT_EU: '1111' })).toThrow('OTL_ACCOUNT_EU');
  });

  test('the error for an environment with example domains contains the commands that set the domains', () => {
    const [example] = environments('eu', {});
    expect(example && missingDomains(example)).toBe(
      'eu still has an example domain. Set your own before you deploy: export OTL_DOMAIN_EU=login.<your domain>; export OTL_MAIL_DOMAIN_EU=<your domain>',
    );
    const [half] = environments('eu', { OTL_DOMAIN_EU: 'login.shop.test' });
    expect(half && missingDomains(half)).toMatch(/OTL_MAIL_DOMAIN_EU/);
    const [own] = environments('eu', { OTL_DOMAIN_EU: 'login.shop.test', OTL_MAIL_DOMAIN_EU: 'shop.test' });
    expect(own && missingDomains(own)).toBeUndefined();
  });

  test('environments with example domains are skipped if another environment has its own domains', () => {
    const own = { OTL_DOMAIN_EU: 'login.shop.test', OTL_MAIL_DOMAIN_EU: 'shop.test' };
    const { ready, notes } = deployable(environments(undefined, { ...own, OTL_DOMAIN_US: 'login.shop.us' }));
    expect(ready.map(({ name }) => name)).toEqual(['eu']);
    expect(notes).toEqual([
      'us still has an example domain. Set your own before you deploy: export OTL_MAIL_DOMAIN_US=<your domain>',
      'Skipped, because they still have example domains: sandbox, ca, au, jp (otl preflight <name>).',
    ]);
    expect(deployable(environments(undefined, {})).notes).toHaveLength(6);
  });

  test('each environment reads operator settings from its own environment variables', () => {
    const [eu] = environments('eu', {
      OTL_DOMAIN_EU: 'login.shop.test',
      OTL_MAIL_DOMAIN_EU: 'shop.test',
      OTL_REGION_EU: 'eu-north-1',
      OTL_MAIL_SANDBOX_EU: 'on',
      OTL_PROTECTION_EU: 'on',
      OTL_ZONE_EU: 'Z0123456789/shop.test',
      OTL_ALARM_MAIL_EU: 'ops@shop.test',
      OTL_RUNBOOK_EU: 'https://git.shop.test/login/',
      OTL_WEB_ACL_EU: 'off',
      OTL_DEVICE_BINDING_EU: 'off',
      OTL_ES256_EU: 'on',
      OTL_IGNORE_ALARMS_EU: 'true',
      OTL_QUEUE_CONCURRENCY_EU: '20',
      OTL_QUALIFIER_EU: 'corp1',
      OTL_FUNCTION_URLS_EU: 'off',
      OTL_REPORT_LINES_EU: 'on',
      OTL_VAULT_LOCK_EU: 'compliance',
      OTL_COPY_REGION_EU: 'eu-west-1',
      OTL_IDENTITY_VERIFICATION_RESOURCE_EU: 'https://verify.shop.test/',
      OTL_DOMAIN_US: 'login.elsewhere.test',
    });
    expect(eu).toMatchObject({
      region: 'eu-north-1',
      domain: 'login.shop.test',
      mail: {
        ...{ from: 'no-reply@shop.test', identity: 'shop.test', mailFromDomain: 'bounce.shop.test' },
        sandbox: true,
      },
      protection: true,
      hostedZone: { id: 'Z0123456789', name: 'shop.test' },
      alarmMail: 'ops@shop.test',
      runbook: 'https://git.shop.test/login/',
      webAcl: false,
      deviceBinding: 'off',
      es256: true,
      ignoreAlarms: true,
      queueConcurrency: 20,
      qualifier: 'corp1',
      functionUrls: 'off',
      reportLines: true,
      vaultLock: 'compliance',
      copyRegion: 'eu-west-1',
      identityVerificationResource: 'https://verify.shop.test/',
    });
  });

  test('the sandbox environment has alarms only if an alarm recipient is configured', () => {
    const readAlarms = (name: string, env = {}) => environments(name, env)[0]?.alarms;
    expect([readAlarms('eu'), readAlarms('sandbox')]).toEqual([true, false]);
    expect(readAlarms('sandbox', { OTL_ALARM_MAIL_SANDBOX: 'ops@shop.test' })).toBe(true);
    expect(environments('sandbox', { OTL_WEB_ACL_SANDBOX: 'on' })[0]?.webAcl).toBe(true);
  });

  test.each([
    ['OTL_DOMAIN_EU', 'https://login.shop.test'],
    ['OTL_DOMAIN_EU', 'Login.shop.test'],
    ['OTL_DOMAIN_EU', 'localhost'],
    ['OTL_MAIL_DOMAIN_EU', 'no-reply@shop.test'],
    ['OTL_ZONE_EU', 'shop.test'],
    ['OTL_ALARM_MAIL_EU', 'ops'],
    ['OTL_IDENTITY_VERIFICATION_RESOURCE_EU', 'verify'],
    ['OTL_RUNBOOK_EU', 'https://git.shop.test/login'],
    ['OTL_WEB_ACL_EU', 'no'],
    ['OTL_DEVICE_BINDING_EU', 'on'],
    ['OTL_ES256_EU', 'off'],
    ['OTL_IGNORE_ALARMS_EU', 'no'],
    ['OTL_QUEUE_CONCURRENCY_EU', '1'],
    ['OTL_QUEUE_CONCURRENCY_EU', '1001'],
    ['OTL_QUALIFIER_EU', 'Corp-1'],
    ['OTL_FUNCTION_URLS_EU', 'no'],
    ['OTL_REPORT_LINES_EU', 'off'],
    ['OTL_VAULT_LOCK_EU', 'off'],
    ['OTL_COPY_REGION_EU', 'eu-west-2'],
    ['OTL_COPY_REGION_EU', 'eu-central-1'],
  ])("the error for an invalid environment variable contains the variable's name: %s=%s", (name, value) => {
    expect(() => environments('eu', { [name]: value })).toThrow(`${name} is not `);
  });
});
