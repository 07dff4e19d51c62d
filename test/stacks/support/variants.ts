import { operations } from '../../../functions/operations.ts';
import { type EnvironmentName, environmentNames } from '../../../lib/stacks/environments/environment.ts';
import { isFull } from '../../support/tools/full-run.ts';
import { extendedTable } from './added-row.ts';
import type { SynthesizeOptions } from './synthesize.ts';

export type VariantName =
  | EnvironmentName
  | 'sandbox with a web ACL'
  | 'eu with only the core'
  | 'eu with its protection, in the SES sandbox'
  | 'eu with an added row'
  | 'eu with keys that KMS has sealed'
  | 'eu with a zone, and copies in another region under a compliance lock'
  | 'eu with another secret of the edge'
  | 'eu with restored tables, and SMS from a number of its own';

interface Variant extends Pick<SynthesizeOptions, 'table' | 'change' | 'env'> {
  readonly environment: EnvironmentName;
}

const asTheyAre = Object.fromEntries(environmentNames.map((environment) => [environment, { environment }]));

const withRows = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(operations).filter(([name]) => names.includes(name)));

/** Environments whose templates the tests check, and variants, which are environments with changed settings. */
export const variants = {
  ...(asTheyAre as Record<EnvironmentName, Variant>),
  'sandbox with a web ACL': { environment: 'sandbox', env: { OTL_WEB_ACL_SANDBOX: 'on' } },
  'eu with its protection, in the SES sandbox': {
    environment: 'eu',
    table: withRows('openMagicLink', 'sendOtp'),
    env: { OTL_PROTECTION_EU: 'on', OTL_MAIL_SANDBOX_EU: 'on' },
  },
  'eu with only the core': { environment: 'eu', env: { OTL_AREAS_EU: 'one-time' } },
  'eu with an added row': { environment: 'eu', table: extendedTable },
  'eu with keys that KMS has sealed': {
    environment: 'eu',
    change: { signingModes: ['kms-envelope', 'kms'] },
  },
  'eu with a zone, and copies in another region under a compliance lock': {
    environment: 'eu',
    table: withRows('openMagicLink'),
    env: {
      OTL_ES256_EU: 'on',
      OTL_ZONE_EU: 'Z0123456789/example.com',
      OTL_ALARM_MAIL_EU: 'ops@example.com',
      OTL_RUNBOOK_EU: 'https://git.example.com/login/',
      OTL_COPY_REGION_EU: 'eu-west-1',
      OTL_VAULT_LOCK_EU: 'compliance',
    },
  },
  'eu with restored tables, and SMS from a number of its own': {
    environment: 'eu',
    table: withRows('getUser', 'sendOtp'),
    change: {
      restoredTables: { people: 'otl-eu-people-restored', directory: 'otl-eu-directory-restored' },
      sms: { countries: ['DE', 'AT'], originationNumber: '+4915112345678', monthlySpendLimitUsd: 250 },
    },
  },
  'eu with another secret of the edge': {
    environment: 'eu',
    table: withRows('health', 'openMagicLink'),
    change: { edgeSecret: 2 },
  },
} as const satisfies Readonly<Record<VariantName, Variant>>;

const OTHERS: readonly VariantName[] = ['eu with only the core', 'ca', 'au', 'jp', 'sandbox with a web ACL'];

/**
 * Returns true if only full runs include the variant, because it differs from the usual variants only in names, in the region,
 * or in a setting that other tests cover.
 */
export const isOther = (name: VariantName): boolean => OTHERS.includes(name);

const isInRun = (name: VariantName): boolean => isFull || !isOther(name);

// Variants and environments of this test run. A normal run omits those for which `isOther` is true.
export const variantsInRun = (Object.keys(variants) as VariantName[]).filter(isInRun);
export const environmentsInRun = environmentNames.filter(isInRun);
