import type { RemovalPolicy, StackProps } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';

export const environmentNames = ['sandbox', 'us', 'eu', 'ca', 'au', 'jp'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** One installation of the service. Nothing it stores leaves its region. */
export interface Environment {
  readonly name: EnvironmentName;
  /** Absent: the account of the AWS credentials that deploy. */
  readonly account?: string;
  readonly region: string;
  /**
   * The one host of the service. The issuer in every token and the passkey RP ID are made of it: from the first tenant on
   * it can never change, and a deployment that tries fails.
   */
  readonly domain: string;
  /** The zone of the environment in Route 53; absent: its records are kept elsewhere. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
  readonly mail: {
    /** The sender of every mail; must belong to `identity`. */
    readonly from: string;
    /** The domain that SES of this region signs for (DKIM). */
    readonly identity: string;
    /** A subdomain of it, to which undelivered mail comes back (SPF). */
    readonly mailFromDomain: string;
    /** While SES is in its sandbox: IAM is asked for the identity of the recipient, too. */
    readonly sandbox?: boolean;
  };
  readonly sms: {
    /**
     * The countries and territories that SMS may go to, by their ISO 3166-1 codes, or `any`; an empty list sends none. Begin
     * with your own: SMS fraud goes to countries without users of yours.
     */
    readonly countries: readonly string[] | 'any';
    /** The number that SMS come from, in E.164; absent: what SNS chooses of the account. */
    readonly originationNumber?: string;
    /**
     * What SMS may cost in a month, in whole US dollars. The deployment sets it in SNS, which stops sending there; at 80 % of
     * it an alarm rings. It is one limit for the account and region, so no two environments may share both.
     */
    readonly monthlySpendLimitUsd: number;
  };
  /** The address that alarms go to; absent: none, until one subscribes to the topic. */
  readonly alarmMail?: string;
  /** Alarms and the dashboard. */
  readonly alarms: boolean;
  /** Begins the links to these pages in the texts of alarms; absent: they name a path in the repository. */
  readonly runbook?: string;
  /** A web ACL of AWS WAF before the edge. */
  readonly webAcl: boolean;
  /** New code of the login path gets a tenth of the requests first, and goes back by itself when alarms ring. */
  readonly canary: boolean;
  /** The number of the secret between the edge and the functions; raise it by one to change the secret. */
  readonly edgeSecret: number;
  /** The number of the keys of passcodes; raise it by one to change them: codes on their way end. */
  readonly codeKey: number;
  /** The audience of tokens for which no resource is asked; absent: the issuer. */
  readonly defaultAudience?: string;
  /** The `<vendor>` of `urn:<vendor>:…` values. */
  readonly vendor: string;
  /** The one resource URI of the identity-verification variant of the token endpoint; absent: no such variant. */
  readonly identityVerificationResource?: string;
  /**
   * Tables that point-in-time recovery has made, by their names: the functions use them in the place of those of the stack,
   * which stay as they are.
   */
  readonly restoredTables?: Partial<Readonly<Record<Exclude<TableName, 'flows'>, string>>>;
  /**
   * Clients may have their tokens signed by ES256, with keys of KMS that `otl keys prepare --algorithm ES256` makes; absent:
   * there is none.
   */
  readonly es256?: boolean;
  /** Applications that are set to it may have test users, whose codes are read by API; absent: none has. */
  readonly testIdentities?: boolean;
  readonly logLevel: 'silent' | 'error' | 'info' | 'debug';
  /** Of the lines of functions and of access logs. They name users by ID, or networks, also after the user is erased. */
  readonly logRetention: RetentionDays;
  /** Of what operators did. */
  readonly operatorLogRetention: RetentionDays;
  /** How long a user's timeline keeps an event. */
  readonly timelineDays: number;
  /** What becomes of tables, keys and logs when their stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Its data outlives its stacks: it has a vault of copies and a log of the edge, and `otl` asks for its protection. */
  readonly production: boolean;
  /**
   * Refuses the deletion of the tables and of the stacks with data, also to administrators. Off until the first deployment
   * has succeeded: CDK protects a stack before it makes it, and what is protected stands in the way of the next attempt.
   */
  readonly protection: boolean;
  /**
   * New signing keys are made in the first mode; the functions may use keys of all of them. To change over: put the new one
   * first and keep the other, deploy, rotate, and take the other out when no key of it is left.
   */
  readonly signingModes: readonly [SigningMode, ...SigningMode[]];
  /** Memory of each function in MB; its share of a processor grows with it. */
  readonly functionMemory: number;
}

/** The origin of everything a browser opens, and of the API. */
export const originOf = (environment: Environment): string => `https://${environment.domain}`;

/** The operator console: a site of its own, so that neither host gets the cookies of the other. */
export const consoleDomainOf = (environment: Environment): string => `console.${environment.domain}`;

export const consoleOriginOf = (environment: Environment): string =>
  `https://${consoleDomainOf(environment)}`;

/** `{base_url}`: the public address with its `/cis` prefix. */
export const baseUrlOf = (environment: Environment): string => `${originOf(environment)}/cis`;

/** Begins the name of every stack, table and function of an environment. */
export const prefixOf = (environment: Environment): string => `otl-${environment.name}`;

/** The stacks with what cannot be made again. */
export const protectedStacksOf = (environment: Environment): readonly string[] =>
  ['data', 'api', 'mail', 'backup'].map((stack) => `${prefixOf(environment)}-${stack}`);

/** The names of keys for operators; functions do not use them. */
export const keyAliasOf = (environment: Environment, use: 'tables' | 'codes' | 'webhooks'): string =>
  `alias/${prefixOf(environment)}-${use}`;

/** Begins the name of every secret of a social provider in Secrets Manager. */
export const providerSecretsOf = (environment: Environment): string => `${prefixOf(environment)}/providers`;

/** The log group of the operator audit log. */
export const operatorLogOf = (environment: Environment): string => `${prefixOf(environment)}-operator`;

/** One in an account and region: CloudFormation refuses to make it for a second environment. */
export const SMS_OWNER_PARAMETER = '/one-time-login/sms-settings';

/** SNS writes what became of texts there: the names are its own. */
export const deliveryLogsOf = (region: string, account: string): readonly string[] => {
  const name = `sns/${region}/${account}/DirectPublishToPhoneNumber`;
  return [name, `${name}/Failure`];
};

/** The table that is in use. */
export function tableNameOf(environment: Environment, table: TableName): string {
  const restored = table === 'flows' ? undefined : environment.restoredTables?.[table];
  return restored ?? `${prefixOf(environment)}-${table}`;
}

/** Where the stacks of an environment are deployed to. */
export const stackPropsOf = (environment: Environment, content: string): StackProps => ({
  env: {
    region: environment.region,
    ...(environment.account === undefined ? {} : { account: environment.account }),
  },
  description: `One-Time Login, ${environment.name}: ${content}`,
});
