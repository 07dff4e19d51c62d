import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { TIMELINE_DAYS } from '../../../shared/domain/basis/limits.ts';
import { type Environment, environmentNames } from './environment.ts';
import { toMailSettings, withOperatorSettings } from './operator-settings.ts';

const production = {
  vendor: 'cis',
  logLevel: 'info',
  logRetention: RetentionDays.ONE_MONTH,
  operatorLogRetention: RetentionDays.ONE_YEAR,
  timelineDays: TIMELINE_DAYS,
  // Resources are kept when their stack is deleted, but not when its creation fails: leftovers with fixed names would block the
  // next attempt.
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  production: true,
  protection: false,
  signingModes: ['kms'],
  alarms: true,
  webAcl: true,
  canary: true,
  edgeSecret: 1,
  codeKey: 1,
  queueConcurrency: 2,
  functionMemory: 1024,
} as const;

const all: readonly Environment[] = [
  {
    ...production,
    name: 'sandbox',
    region: 'us-east-1',
    domain: 'login.sandbox.example.com',
    mail: toMailSettings('sandbox.example.com'),
    sms: { countries: ['US'], monthlySpendLimitUsd: 100 },
    logLevel: 'debug',
    logRetention: RetentionDays.ONE_WEEK,
    operatorLogRetention: RetentionDays.ONE_WEEK,
    removalPolicy: RemovalPolicy.DESTROY,
    production: false,
    alarms: false,
    webAcl: false,
    canary: false,
  },
  {
    ...production,
    name: 'us',
    region: 'us-east-1',
    domain: 'login.us.example.com',
    mail: toMailSettings('us.example.com'),
    sms: { countries: ['US'], monthlySpendLimitUsd: 100 },
  },
  {
    ...production,
    name: 'eu',
    region: 'eu-central-1',
    domain: 'login.eu.example.com',
    mail: toMailSettings('eu.example.com'),
    sms: { countries: ['DE'], monthlySpendLimitUsd: 100 },
  },
  {
    ...production,
    name: 'ca',
    region: 'ca-central-1',
    domain: 'login.ca.example.com',
    mail: toMailSettings('ca.example.com'),
    sms: { countries: ['CA'], monthlySpendLimitUsd: 100 },
  },
  {
    ...production,
    name: 'au',
    region: 'ap-southeast-2',
    domain: 'login.au.example.com',
    mail: toMailSettings('au.example.com'),
    sms: { countries: ['AU'], monthlySpendLimitUsd: 100 },
  },
  {
    ...production,
    name: 'jp',
    region: 'ap-northeast-1',
    domain: 'login.jp.example.com',
    mail: toMailSettings('jp.example.com'),
    sms: { countries: ['JP'], monthlySpendLimitUsd: 100 },
  },
];

/** Throws if two environments use the same account and region, where they would share one SMS spending limit. */
function requireOwnSmsSettings({ name, account, region }: Environment, others: readonly Environment[]): void {
  const twin = others.find(
    (other) => other.name !== name && other.region === region && other.account === account,
  );
  if (account !== undefined && twin !== undefined)
    throw new Error(
      `${name} and ${twin.name} are both in ${region} of the account ${account}, which has only one SMS spending limit. Deploy them to separate accounts.`,
    );
}

/**
 * Returns all environments, or only the named environment, with the settings of the variables `OTL_<SETTING>_<NAME>` applied.
 * @throws Error if there is no such environment, a variable is invalid, or two environments share an account and region
 */
export function environments(only?: string, env: NodeJS.ProcessEnv = process.env): readonly Environment[] {
  const known = all.map((environment) => withOperatorSettings(environment, env));
  const asked = known.filter(({ name }) => only === undefined || name === only);
  if (asked.length === 0)
    throw new Error(`There is no environment "${only}". Environments: ${environmentNames.join(', ')}.`);
  for (const environment of asked) requireOwnSmsSettings(environment, known);
  return asked;
}
