import type { RemovalPolicy, StackProps } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { eventQueues } from '../../../functions/events/queues.ts';
import type { SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import { type AreaName, hasArea } from '../../../shared/domain/basis/areas.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';

export const environmentNames = ['sandbox', 'us', 'eu', 'ca', 'au', 'jp'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** Settings of one installation of the service. Data that the installation stores never leaves its region. */
export interface Environment {
  readonly name: EnvironmentName;
  /** AWS account. Default: the account of the credentials that deploy. */
  readonly account?: string;
  /** AWS region that has all data. CloudFront requires two further stacks in us-east-1, which contain no user data. */
  readonly region: string;
  /**
   * Host name of the service, from which the issuer of every token and the RP ID of passkeys are derived. The host name can
   * never change once there is a tenant; a deployment that changes it fails.
   */
  readonly domain: string;
  /** Hosted zone of the environment in Route 53. Absent if its DNS records are kept elsewhere. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
  readonly mail: {
    /** Sender address of every mail. The address must belong to `identity`. */
    readonly from: string;
    /** Domain for which SES signs mail in this region (DKIM). */
    readonly identity: string;
    /** Subdomain of `identity` that receives undelivered mail (SPF). */
    readonly mailFromDomain: string;
    /** True while SES is in its sandbox, where IAM also checks the identity of the recipient. */
    readonly sandbox?: boolean;
    /** ARN of your Lambda function that sends mails in place of SES. An alias or a version may follow its name. */
    readonly function?: string;
  };
  readonly sms: {
    /**
     * Countries and territories that SMS may be sent to, by ISO 3166-1 code, or `any`. An empty list allows no SMS. Begin with
     * your own country, because SMS fraud targets countries where you have no users.
     */
    readonly countries: readonly string[] | 'any';
    /** Phone number that SMS are sent from, in E.164. Default: SNS chooses a number of the account. */
    readonly originationNumber?: string;
    /**
     * Monthly limit of SMS costs in whole US dollars. The deployment sets the limit in SNS. When the costs reach the limit, SNS
     * stops sending. An alarm fires at 80 %. The limit applies to an account and region, so two environments must not share
     * both.
     */
    readonly monthlySpendLimitUsd: number;
    /** ARN of your Lambda function that sends SMS in place of SNS. An alias or a version may follow its name. */
    readonly function?: string;
    /**
     * ARN of a pool, phone number or sender ID of AWS End User Messaging, which then sends SMS in place of SNS. Cannot be
     * combined with `function`.
     */
    readonly pool?: string;
    /** Name of the configuration set of AWS End User Messaging that SMS are sent with. Requires `pool`. */
    readonly configurationSet?: string;
  };
  /** Qualifier of CDK's bootstrap stacks in the account. Default: the qualifier of `cdk bootstrap` without options. */
  readonly qualifier?: string;
  /**
   * Use of function URLs, which are public. `on`: they serve the paths of browsers. `unused`: they exist, but the HTTP API
   * serves these paths. `off`: there are none; a running environment must first be deployed with `unused`. Default: `on`.
   */
  readonly functionUrls?: 'on' | 'unused' | 'off';
  /** True if the logs of functions contain Lambda's own report on the duration and memory of each call. */
  readonly reportLines?: boolean;
  /** Areas of the deployment, with all that they require. Default: all areas. */
  readonly areas?: readonly AreaName[];
  /** Email address that receives alarms. Without it, alarms have no receiver until an address subscribes to the topic. */
  readonly alarmMail?: string;
  /** True to create alarms and the dashboard. */
  readonly alarms: boolean;
  /** URL prefix of the runbook links in alarm texts. Without it, alarms name a path in the repository. */
  readonly runbook?: string;
  /**
   * True to log a synthetic user in every five minutes, with an alarm if that fails. The secret `otl-<name>/synthetic-login`
   * names its client. Default: false, because operators must create the user first.
   */
  readonly syntheticLogin?: boolean;
  /** True to put a web ACL of AWS WAF in front of CloudFront. */
  readonly webAcl: boolean;
  /** True if a new version of the login functions first gets a tenth of the requests, and is rolled back if an alarm fires. */
  readonly canary: boolean;
  /**
   * True to release new code to all requests immediately, even during an alarm, for a fix or a rollback. Otherwise CodeDeploy
   * stops every release of login code during an alarm.
   */
  readonly ignoreAlarms?: boolean;
  /**
   * Mode of the lock of the backup vaults. In compliance mode the lock becomes permanent three days after the deployment, and
   * then not even AWS can delete a copy early. Default: governance mode, in which principals with the permission
   * `backup:DeleteBackupVaultLockConfiguration` can remove the lock.
   */
  readonly vaultLock?: 'compliance';
  /** Region of the same jurisdiction that receives a second copy of each backup. Default: no second copy. */
  readonly copyRegion?: string;
  /** Generation number of the secret that CloudFront sends to the functions. Raise the number by one to change the secret. */
  readonly edgeSecret: number;
  /** Generation number of the passcode keys. Raise it by one to change the keys; unused passcodes then become invalid. */
  readonly codeKey: number;
  /** Audience of tokens that are requested without a resource. Default: the issuer. */
  readonly defaultAudience?: string;
  /** Vendor name in values such as `urn:<vendor>:…`. */
  readonly vendor: string;
  /** Resource URI of the identity-verification variant of the token endpoint. Without it, the variant does not exist. */
  readonly identityVerificationResource?: string;
  /** Names of tables restored by point-in-time recovery. Functions use them instead of the tables that the stack created. */
  readonly restoredTables?: Partial<Readonly<Record<Exclude<TableName, 'flows'>, string>>>;
  /** True if clients may choose ES256 for their tokens. Create its KMS keys with `otl keys prepare --algorithm ES256`. */
  readonly es256?: boolean;
  /**
   * Setting for device-bound sessions: `off` if logins do not offer them, `required` if operators need one for the console.
   * Default: logins offer them.
   */
  readonly deviceBinding?: 'off' | 'required';
  /** True if applications may have test users, whose codes can be read through the API. */
  readonly testIdentities?: boolean;
  /**
   * ID of the only application that sends magic links, so that its native apps may open them. Devices remember an app's
   * permission to open links for days, so other applications must not send links soon after a change.
   */
  readonly linkApplication?: string;
  readonly logLevel: 'silent' | 'error' | 'info' | 'debug';
  /** Retention of function logs and access logs. The logs contain user IDs or IP networks, even after a user is erased. */
  readonly logRetention: RetentionDays;
  readonly operatorLogRetention: RetentionDays;
  /** Number of days for which a user's timeline keeps an event. */
  readonly timelineDays: number;
  /** Policy for tables, keys and logs when their stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /**
   * True if the data must outlive the stacks. The environment then has a backup vault and a CloudFront log, and `otl` demands
   * deletion protection.
   */
  readonly production: boolean;
  /**
   * True to prevent the deletion of the tables and of stacks with data, even by administrators. Leave the setting off until the
   * first deployment has succeeded: CDK protects a stack before creating it, and a protected stack that failed blocks the next
   * deployment.
   */
  readonly protection: boolean;
  /**
   * Modes in which functions may sign. New keys use the first mode. To change the mode, put the new mode first and keep the old
   * mode, deploy, rotate the keys, and remove the old mode once no key uses it.
   */
  readonly signingModes: readonly [SigningMode, ...SigningMode[]];
  /**
   * Maximum number of functions that run concurrently for webhooks, and the same number for notices, from 2 to 1,000. Further
   * events wait in their queue, so that these functions cannot use up the account's concurrency, which logins need.
   */
  readonly queueConcurrency: number;
  /** Memory of each function in MB. Lambda assigns CPU time in proportion to memory. */
  readonly functionMemory: number;
}

/** Returns the origin of the API and of all hosted pages. */
export const toOrigin = (environment: Environment): string => `https://${environment.domain}`;

/** Returns the host name of the operator console, which is a separate site, so neither host receives the other's cookies. */
export const toConsoleDomain = (environment: Environment): string => `console.${environment.domain}`;

/** Returns true if the deployment has an operator console, because its areas include `console`. */
export const hasConsole = (environment: Environment): boolean =>
  hasArea({ areas: environment.areas ?? 'all' }, 'console');

export const toConsoleOrigin = (environment: Environment): string =>
  `https://${toConsoleDomain(environment)}`;

/** Returns the public base URL (`{base_url}`), which ends in `/cis`. */
export const toBaseUrl = (environment: Environment): string => `${toOrigin(environment)}/cis`;

/** Returns the qualifier of CDK's bootstrap stacks, which is part of the names of their roles and parameters. */
export const toQualifier = ({ qualifier = 'hnb659fds' }: Pick<Environment, 'qualifier'>): string => qualifier;

/** Returns the prefix of the names of all stacks, tables and functions of an environment. */
export const toNamePrefix = (environment: Environment): string => `otl-${environment.name}`;

/** Returns the names of the stacks whose content could not be recreated after a deletion. */
export const listProtectedStacks = (environment: Environment): readonly string[] =>
  ['data', 'api', 'mail', 'backup'].map((stack) => `${toNamePrefix(environment)}-${stack}`);

/** Returns the alias of a KMS key. Aliases are used only by operators, not by functions. */
export const toKeyAlias = (environment: Environment, use: 'tables' | 'codes' | 'webhooks'): string =>
  `alias/${toNamePrefix(environment)}-${use}`;

/** Returns the prefix of the names of social providers' secrets in Secrets Manager. */
export const toSecretsPrefix = (environment: Environment): string => `${toNamePrefix(environment)}/providers`;

/** Returns the name of the secret with the client and the address of the synthetic user. Operators create the secret. */
export const toSyntheticSecretName = (environment: Environment): string =>
  `${toNamePrefix(environment)}/synthetic-login`;

/** Returns the name of the log group of the operator audit log. */
export const toOperatorLogName = (environment: Environment): string =>
  `${toNamePrefix(environment)}-operator`;

/** Returns the name prefixes of the event queues in AWS. CloudFormation appends a generated suffix to each. */
export const listQueuePrefixes = (environment: Environment): readonly string[] =>
  eventQueues.map(
    ({ name }) => `${toNamePrefix(environment)}-events-${name[0]?.toUpperCase()}${name.slice(1)}Queue`,
  );

/** Name of the SSM parameter that reserves the SMS settings of an account and region. A second environment cannot create it. */
export const SMS_OWNER_PARAMETER = '/one-time-login/sms-settings';

/** Returns the names of the log groups to which SNS writes delivery reports of text messages. SNS prescribes these names. */
export const listDeliveryLogs = (region: string, account: string): readonly string[] => {
  const name = `sns/${region}/${account}/DirectPublishToPhoneNumber`;
  return [name, `${name}/Failure`];
};

/** Returns the name of the table in use, which may be a restored table. */
export function toTableName(environment: Environment, table: TableName): string {
  const restored = table === 'flows' ? undefined : environment.restoredTables?.[table];
  return restored ?? `${toNamePrefix(environment)}-${table}`;
}

/**
 * Returns the construct ID and the properties of a stack. The name of the stack is explicit, because CDK would otherwise derive
 * it from the construct that contains the stack.
 * @param part last part of the stack's name, such as `data`
 */
export function toStackArguments(
  environment: Environment,
  part: string,
  content: string,
  other: StackProps = {},
): [id: string, props: StackProps] {
  const stackName = `${toNamePrefix(environment)}-${part}`;
  const { account, name, region } = environment;
  const env = { region, ...(account === undefined ? {} : { account }), ...other.env };
  return [stackName, { ...other, stackName, env, description: `One-Time Login, ${name}: ${content}` }];
}
