import { operations } from '../../../functions/operations.ts';
import type { SynthesizeOptions } from './synthesize.ts';

/** Small operation table. It has operations with and without function URL, and with and without alias. */
export const table = Object.fromEntries(
  Object.entries(operations).filter(([name]) =>
    ['health', 'getUser', 'sendOtp', 'openMagicLink', 'token', 'authorize'].includes(name),
  ),
);

/** Settings that an operator may change in a deployed environment, each with a value that differs from the default. */
export const switches = {
  canary: { change: { canary: false } },
  restoredTables: {
    change: {
      restoredTables: { people: 'otl-eu-people-restored', directory: 'otl-eu-directory-restored' },
    },
  },
  signingModes: { change: { signingModes: ['kms', 'kms-envelope'] } },
  OTL_ALARM_MAIL: { env: { OTL_ALARM_MAIL_EU: 'ops@example.com' } },
  OTL_AREAS: { env: { OTL_AREAS_EU: 'console' } },
  OTL_COPY_REGION: { env: { OTL_COPY_REGION_EU: 'eu-west-1' } },
  OTL_DEVICE_BINDING: { env: { OTL_DEVICE_BINDING_EU: 'off' } },
  OTL_ES256: { env: { OTL_ES256_EU: 'on' } },
  OTL_FUNCTION_URLS: { env: { OTL_FUNCTION_URLS_EU: 'unused' } },
  OTL_IDENTITY_VERIFICATION_RESOURCE: {
    env: { OTL_IDENTITY_VERIFICATION_RESOURCE_EU: 'https://verify.example.com/' },
  },
  OTL_IGNORE_ALARMS: { env: { OTL_IGNORE_ALARMS_EU: 'true' } },
  OTL_LINK_APPLICATION: { env: { OTL_LINK_APPLICATION_EU: '1c7r5zk0v3x9qmd2w8htb4nyp' } },
  OTL_MAIL_FUNCTION: {
    env: {
      OTL_MAIL_FUNCTION_EU: 'arn:aws:lambda:eu-central-1:123456789012:function:mail',
      OTL_SMS_FUNCTION_EU: 'arn:aws:lambda:eu-central-1:123456789012:function:sms',
    },
  },
  OTL_MAIL_SANDBOX: { env: { OTL_MAIL_SANDBOX_EU: 'on' } },
  OTL_PROTECTION: { env: { OTL_PROTECTION_EU: 'on' } },
  OTL_QUALIFIER: { env: { OTL_QUALIFIER_EU: 'corp1' } },
  OTL_QUEUE_CONCURRENCY: { env: { OTL_QUEUE_CONCURRENCY_EU: '20' } },
  OTL_REPORT_LINES: { env: { OTL_REPORT_LINES_EU: 'on' } },
  OTL_RUNBOOK: { env: { OTL_RUNBOOK_EU: 'https://git.example.com/login/' } },
  OTL_SMS_POOL: {
    env: {
      OTL_SMS_POOL_EU: 'arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-1',
      OTL_SMS_CONFIGURATION_SET_EU: 'login',
    },
  },
  OTL_SYNTHETIC_LOGIN: { env: { OTL_SYNTHETIC_LOGIN_EU: 'on' } },
  OTL_TEST_IDENTITIES: { env: { OTL_TEST_IDENTITIES_EU: 'on' } },
  OTL_VAULT_LOCK: { env: { OTL_VAULT_LOCK_EU: 'compliance' } },
  OTL_WEB_ACL: { env: { OTL_WEB_ACL_EU: 'off' } },
  OTL_ZONE: { env: { OTL_ZONE_EU: 'Z0123456789/example.com' } },
} as const satisfies Readonly<Record<string, Pick<SynthesizeOptions, 'change' | 'env'>>>;

export type SwitchName = keyof typeof switches;
