import type { Application, Client } from '../../../shared/ports/directory.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { QuotaName } from './quotas.ts';

/** Facts about an account in a region, which are available even before the first deployment. */
export interface AccountFacts {
  readonly region: string;
  /** Domain that sends mail, and its subdomain that receives undelivered mail. */
  readonly mail: { readonly identity: string; readonly mailFromDomain: string; readonly sandbox?: boolean };
  /** Monthly limit of SMS costs in US dollars, as set in the environment. */
  readonly smsLimitUsd: number;
  /** Modes in which functions may sign. New keys use the first mode. */
  readonly signingModes: readonly ('kms' | 'kms-envelope')[];
  sesAccount(): Promise<{
    readonly productionAccess: boolean;
    readonly sendingEnabled: boolean;
    readonly mailsPerSecond: number;
    readonly mailsPerDay: number;
    /** Number of mails that were sent in the last 24 hours. */
    readonly mailsSent: number;
  }>;
  sms(): Promise<{ readonly sandbox: boolean; readonly monthlySpendLimit: number | undefined }>;
  /** Returns the monthly limits of SMS costs in US dollars that End User Messaging reports. */
  smsSpendLimits(): Promise<{
    /** Limit that the account may set, or undefined if AWS does not report it. */
    readonly maximum: number | undefined;
    /** Limit at which End User Messaging stops, or undefined if AWS does not report it. */
    readonly enforced: number | undefined;
  }>;
  quota(name: QuotaName): Promise<number>;
}

/** SNS topic that delivers the alarms of one region. */
export interface AlarmTopic {
  readonly region: string;
  readonly arn: string;
  /** Number of receivers that get the alarms. */
  readonly confirmed: number;
  /** Addresses that have not confirmed their subscription. */
  readonly pending: readonly string[];
}

/** Newest copy of a table in a backup vault. */
export interface NewestCopy {
  readonly vault: string;
  readonly table: string;
  /** Time at which the copy was made, or undefined if the vault has no copy of the table. */
  readonly madeAt: Date | undefined;
}

/** Facts about an environment. If a fact fails to load, the failure is reported as a finding, and the other checks continue. */
export interface Facts extends AccountFacts {
  readonly production: boolean;
  /** Returns the names of the settings, stacks and tables that are not protected from deletion. */
  unprotected(): Promise<readonly string[]>;
  /** Returns the stacks of areas that the environment no longer has, in the order in which they can be deleted. */
  leftOverStacks(): Promise<readonly string[]>;
  /** True if the environment has alarms. */
  readonly alarms: boolean;
  alarmTopics(): Promise<readonly AlarmTopic[]>;
  newestCopies(): Promise<readonly NewestCopy[]>;
  /** Returns the date on which the certificate of the service's host ends. */
  certificateEnd(): Promise<Date>;
  /** True if clients may choose ES256 as the algorithm of their tokens. */
  readonly es256: boolean;
  /** True if the environment allows test users. */
  readonly testIdentities: boolean;
  /** Setting for device-bound sessions: `off` if logins do not offer them, `required` if the console requires them. */
  readonly deviceBinding: 'off' | 'offered' | 'required';
  /** True if the next deployment would ignore alarms. */
  readonly ignoreAlarms: boolean;
  /** IDs or aliases of the KMS keys other than signing keys, by their use. The IDs of signing keys are in their records. */
  readonly keys: Readonly<Record<string, string>>;
  /** Maximum number of concurrent function invocations for each of the two queues, webhooks and notices. */
  readonly queueConcurrency: number;
  /** Returns the number of events that wait for a function that handles webhooks or notices. */
  waitingEvents(): Promise<number>;
  /** ARN of the pool, phone number or sender ID of AWS End User Messaging that sends SMS in place of SNS. */
  readonly smsPool?: string | undefined;
  /** Name of the configuration set of AWS End User Messaging that SMS are sent with. */
  readonly smsConfigurationSet?: string | undefined;
  /** Returns what AWS End User Messaging reports about `smsPool` and `smsConfigurationSet`. */
  smsPoolState(): Promise<{
    /** State of the pool, phone number or sender ID. Undefined if it does not exist in the account and region. */
    readonly origin: { readonly status: string; readonly messageTypes: readonly string[] } | undefined;
    readonly hasConfigurationSet: boolean;
  }>;
  /**
   * Returns the Lambda functions that send messages in place of SES and SNS, each with its state. The state is undefined if the
   * function does not exist.
   */
  senders(): Promise<
    readonly { readonly what: string; readonly arn: string; readonly state: string | undefined }[]
  >;
  sesIdentity(): Promise<{
    readonly verified: boolean;
    readonly dkimSigned: boolean;
    readonly dkimTokens: readonly string[];
    readonly mailFromVerified: boolean;
  }>;
  /** Returns true if SES tracks opens or clicks, which would rewrite login links. */
  sesTracking(): Promise<boolean>;
  txt(name: string): Promise<readonly string[]>;
  mx(name: string): Promise<readonly string[]>;
  cname(name: string): Promise<readonly string[]>;
  tables(): Promise<
    readonly {
      readonly name: string;
      readonly active: boolean;
      readonly timeToLive: boolean;
      readonly needsTimeToLive: boolean;
      readonly recovery: boolean;
      readonly needsRecovery: boolean;
    }[]
  >;
  signingKeys(): Promise<readonly SigningKey[]>;
  /**
   * Returns true if a KMS key is enabled.
   * @param key ARN, ID or alias.
   */
  keyEnabled(key: string): Promise<boolean>;
  /** Returns the difference in seconds between the clocks of this machine and AWS; positive if this machine is ahead. */
  clockSkewSeconds(): Promise<number>;
  applications(): AsyncIterable<Application>;
  /** Lists the clients of all tenants, including management clients. */
  clients(): AsyncIterable<Client>;
  /** Lists the URIs of all resources that tokens can be requested for, in all tenants. */
  resourceUris(): AsyncIterable<{
    readonly uri: string;
    readonly tenantId: string;
    /** ID of the tenant for which the URI is reserved. */
    readonly owner: string | undefined;
    /** ID of the tenant for which the host of the URI is reserved. */
    readonly hostTenantId: string | undefined;
  }>;
  /** Returns the `WWW-Authenticate` header that clients receive for a call without a token. */
  challenge(): Promise<string | undefined>;
}
