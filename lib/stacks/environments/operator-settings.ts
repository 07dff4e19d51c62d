import { chooseAreas } from '../../../functions/areas.ts';
import type { Environment, EnvironmentName } from './environment.ts';

/** Regions of the same jurisdiction, to which backups of an environment may be copied. */
const JURISDICTIONS: Readonly<Record<EnvironmentName, readonly string[]>> = {
  sandbox: [],
  us: ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'],
  eu: ['eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-3'],
  ca: ['ca-central-1', 'ca-west-1'],
  au: ['ap-southeast-2', 'ap-southeast-4'],
  jp: ['ap-northeast-1', 'ap-northeast-3'],
};

const LAMBDA_ARN = /^arn:aws:lambda:[a-z0-9-]+:\d{12}:function:[\w-]{1,64}(?::(?:[\w-]{1,128}|\$LATEST))?$/;

const SMS_POOL_ARN = /^arn:aws:sms-voice:[a-z0-9-]+:\d{12}:(?:pool|phone-number|sender-id)\/[\w/-]{1,80}$/;

/** Returns the ARN of a function or pool. Throws if it is in another region, which no user data may reach. */
function requireRegion(arn: string, region: string): string {
  const [, , service, found] = arn.split(':');
  const what = service === 'lambda' ? 'function' : 'pool';
  if (found !== region)
    throw new Error(`The ${what} ${arn} is not in the region ${region} of its environment.`);
  return arn;
}

/**
 * Settings that are read from environment variables, such as `OTL_DOMAIN_EU` for the installation `eu`. The variables keep your
 * account IDs and addresses out of the repository.
 */
const SETTINGS = {
  ACCOUNT: {
    form: /^\d{12}$/,
    what: 'an account ID of twelve digits',
    apply: (account: string) => ({ account }),
  },
  REGION: {
    form: /^[a-z]{2}(?:-[a-z]+)+-\d$/,
    what: 'an AWS region, such as eu-west-1',
    apply: (region: string) => ({ region }),
  },
  DOMAIN: {
    form: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    what: 'a host name in lower case, such as login.example.com',
    apply: (domain: string) => ({ domain }),
  },
  MAIL_DOMAIN: {
    form: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    what: 'a host name in lower case, such as example.com',
    apply: (domain: string) => ({ mail: toMailSettings(domain) }),
  },
  MAIL_SANDBOX: {
    form: /^on$/,
    what: 'the word on',
    apply: (_: string, { mail }: Environment) => ({ mail: { ...mail, sandbox: true } }),
  },
  MAIL_FUNCTION: {
    form: LAMBDA_ARN,
    what: 'the ARN of a Lambda function',
    apply: (arn: string, { mail, region }: Environment) => ({
      mail: { ...mail, function: requireRegion(arn, region) },
    }),
  },
  SMS_FUNCTION: {
    form: LAMBDA_ARN,
    what: 'the ARN of a Lambda function',
    apply: (arn: string, { sms, region }: Environment) => ({
      sms: { ...sms, function: requireRegion(arn, region) },
    }),
  },
  SMS_POOL: {
    form: SMS_POOL_ARN,
    what: 'the ARN of a pool, phone number or sender ID of AWS End User Messaging',
    apply: (arn: string, { sms, region }: Environment) => {
      if (sms.function) throw new Error('SMS are sent either by a function or by a pool: unset one of them.');
      return { sms: { ...sms, pool: requireRegion(arn, region) } };
    },
  },
  SMS_CONFIGURATION_SET: {
    form: /^[\w-]{1,64}$/,
    what: 'the name of a configuration set',
    apply: (configurationSet: string, { sms }: Environment) => {
      if (!sms.pool) throw new Error('A configuration set requires a pool.');
      return { sms: { ...sms, configurationSet } };
    },
  },
  ZONE: {
    form: /^Z[A-Z0-9]{4,31}\/[a-z0-9.-]+$/,
    what: 'the ID and the name of a hosted zone, such as Z0123456789ABCDEF/example.com',
    apply: (value: string) => {
      const [id = '', name = ''] = value.split('/');
      return { hostedZone: { id, name } };
    },
  },
  QUALIFIER: {
    form: /^[a-z0-9]{1,10}$/,
    what: 'a qualifier of CDK, which has at most ten lower-case letters and digits',
    apply: (qualifier: string) => ({ qualifier }),
  },
  FUNCTION_URLS: {
    form: /^(?:on|unused|off)$/,
    what: 'on, unused or off',
    apply: (value: string) => ({ functionUrls: value as Environment['functionUrls'] & string }),
  },
  REPORT_LINES: {
    form: /^on$/,
    what: 'the word on',
    apply: () => ({ reportLines: true }),
  },
  AREAS: {
    form: /^[a-z-]+(?:,[a-z-]+)*$/,
    what: 'a list of areas, such as code-based,webhooks',
    apply: (value: string) => ({ areas: chooseAreas(value.split(',')) }),
  },
  ALARM_MAIL: {
    form: /^[^\s@]+@[^\s@]+$/,
    what: 'an email address',
    apply: (alarmMail: string) => ({ alarmMail, alarms: true }),
  },
  RUNBOOK: {
    form: /^https:\/\/[\x21\x23-\x7e]+\/$/,
    what: 'a URL that begins with https:// and ends with a slash',
    apply: (runbook: string) => ({ runbook }),
  },
  SYNTHETIC_LOGIN: {
    form: /^on$/,
    what: 'the word on',
    apply: () => ({ syntheticLogin: true }),
  },
  WEB_ACL: {
    form: /^(?:on|off)$/,
    what: 'on or off',
    apply: (value: string) => ({ webAcl: value === 'on' }),
  },
  PROTECTION: {
    form: /^on$/,
    what: 'the word on',
    apply: () => ({ protection: true }),
  },
  TEST_IDENTITIES: {
    form: /^on$/,
    what: 'the word on',
    apply: () => ({ testIdentities: true }),
  },
  LINK_APPLICATION: {
    form: /^[0-9a-z]{25}$/,
    what: 'the ID of an application',
    apply: (linkApplication: string) => ({ linkApplication }),
  },
  ES256: {
    form: /^on$/,
    what: 'the word on',
    apply: () => ({ es256: true }),
  },
  DEVICE_BINDING: {
    form: /^(?:off|required)$/,
    what: 'the word off or required',
    apply: (value: string) => ({ deviceBinding: value as Environment['deviceBinding'] & string }),
  },
  IGNORE_ALARMS: {
    form: /^(?:on|true)$/,
    what: 'the word on',
    apply: () => ({ ignoreAlarms: true }),
  },
  QUEUE_CONCURRENCY: {
    form: /^(?:[2-9]|[1-9]\d{1,2}|1000)$/,
    what: 'a whole number from 2 to 1000',
    apply: (value: string) => ({ queueConcurrency: Number(value) }),
  },
  VAULT_LOCK: {
    form: /^compliance$/,
    what: 'the word compliance',
    apply: () => ({ vaultLock: 'compliance' as const }),
  },
  COPY_REGION: {
    form: /^[a-z]{2}-[a-z]+-\d$/,
    what: 'a region, such as eu-west-1',
    apply: (copyRegion: string, { name, region }: Environment) => {
      const others = JURISDICTIONS[name].filter((each) => each !== region);
      if (!others.includes(copyRegion))
        throw new Error(
          `OTL_COPY_REGION_${name.toUpperCase()} is not another region of the same jurisdiction: ${others.join(', ') || 'none'}.`,
        );
      return { copyRegion };
    },
  },
  IDENTITY_VERIFICATION_RESOURCE: {
    form: /^[a-z][a-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/,
    what: 'an absolute URI without fragment',
    apply: (identityVerificationResource: string) => ({ identityVerificationResource }),
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly form: RegExp;
      readonly what: string;
      readonly apply: (value: string, environment: Environment) => Partial<Environment>;
    }
  >
>;

export type SettingName = keyof typeof SETTINGS;

/**
 * Returns the environment with one setting applied.
 * @param label name of the setting in the error message
 * @throws Error if the value has the wrong form
 */
export function applySetting(
  environment: Environment,
  name: SettingName,
  value: string,
  label: string,
): Environment {
  const { form, what, apply } = SETTINGS[name];
  if (!form.test(value)) throw new Error(`${label} is not ${what}.`);
  return { ...environment, ...apply(value, environment) };
}

/**
 * Returns the mail settings for a domain. Undelivered mail goes to a subdomain, so that SPF is aligned with the sender's domain
 * (RFC 7489 §3.1.2).
 */
export const toMailSettings = (domain: string): Environment['mail'] => ({
  from: `no-reply@${domain}`,
  identity: domain,
  mailFromDomain: `bounce.${domain}`,
});

/**
 * Returns the deployment environment with the settings from the `OTL_…` variables of the process. Throws if a variable has an
 * invalid value.
 */
export function withOperatorSettings(environment: Environment, env: NodeJS.ProcessEnv): Environment {
  let known = environment;
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const variable = `OTL_${name}_${environment.name.toUpperCase()}`;
    const value = env[variable];
    if (value === undefined || value === '') continue;
    known = applySetting(known, name, value, variable);
  }
  return known;
}

/** Returns a message if an environment still has an example domain. Returns undefined if it has its own domain. */
export function missingDomains({ name, domain, mail }: Environment): string | undefined {
  const suffix = name.toUpperCase();
  const commands = [
    ...(isExample(domain) ? [`export OTL_DOMAIN_${suffix}=login.<your domain>`] : []),
    ...(isExample(mail.identity) ? [`export OTL_MAIL_DOMAIN_${suffix}=<your domain>`] : []),
  ];
  if (commands.length === 0) return undefined;
  return `${name} still has an example domain. Set your own before you deploy: ${commands.join('; ')}`;
}

/** Returns the environments that can be deployed, and notes about the environments that still have example domains. */
export function deployable(environments: readonly Environment[]): {
  readonly ready: readonly Environment[];
  readonly notes: readonly string[];
} {
  const ready = environments.filter((environment) => missingDomains(environment) === undefined);
  const others = environments.filter((environment) => !ready.includes(environment));
  const unnamed = others.filter(
    ({ domain, mail }) => ready.length > 0 && isExample(domain) && isExample(mail.identity),
  );
  const notes = others
    .filter((each) => !unnamed.includes(each))
    .flatMap((each) => missingDomains(each) ?? []);
  if (unnamed.length === 0) return { ready, notes };
  const names = unnamed.map(({ name }) => name).join(', ');
  return {
    ready,
    notes: [...notes, `Skipped, because they still have example domains: ${names} (otl preflight <name>).`],
  };
}

/** Returns true for a host name that is reserved for examples (RFC 2606 §3). */
const isExample = (host: string): boolean => host.endsWith('.example.com');
