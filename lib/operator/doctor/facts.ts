import type { Application, Client } from '../../../shared/ports/directory.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import type { QuotaName } from './quotas.ts';

/** The facts about an account in a region, whether something is deployed there or not. */
export interface AccountFacts {
  readonly region: string;
  /** The domain of the sender, and the subdomain for returned mail. */
  readonly mail: { readonly identity: string; readonly mailFromDomain: string; readonly sandbox?: boolean };
  /** The environment's limit of SMS costs in a month, in US dollars. */
  readonly smsLimitUsd: number;
  /** How functions may sign; new keys are in the first mode. */
  readonly signingModes: readonly ('kms' | 'kms-envelope')[];
  sesAccount(): Promise<{
    readonly productionAccess: boolean;
    readonly sendingEnabled: boolean;
    readonly mailsPerSecond: number;
    readonly mailsPerDay: number;
  }>;
  sms(): Promise<{ readonly sandbox: boolean; readonly monthlySpendLimit: number | undefined }>;
  /** What SMS may cost in a month at most, in US dollars; undefined: AWS does not say. */
  smsQuotaUsd(): Promise<number | undefined>;
  quota(name: QuotaName): Promise<number>;
}

/** The facts about an environment. Each may fail: the failure is a finding, and the other checks continue. */
export interface Facts extends AccountFacts {
  readonly production: boolean;
  /** The setting, the stacks and the tables that a mistake could delete. */
  unprotected(): Promise<readonly string[]>;
  /** Whether clients may choose ES256. */
  readonly es256: boolean;
  /** Whether the environment allows test users. */
  readonly testIdentities: boolean;
  /** Key IDs or aliases of the keys without a record, by their use. */
  readonly keys: Readonly<Record<string, string>>;
  sesIdentity(): Promise<{
    readonly verified: boolean;
    readonly dkimSigned: boolean;
    readonly dkimTokens: readonly string[];
    readonly mailFromVerified: boolean;
  }>;
  /** Whether opens or clicks of mails are tracked: links would be rewritten. */
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
  /** `key`: an ARN, an ID or an alias. */
  keyEnabled(key: string): Promise<boolean>;
  /** Seconds by which this clock is ahead of AWS. */
  clockSkewSeconds(): Promise<number>;
  applications(): AsyncIterable<Application>;
  /** Of all tenants, management clients too. */
  clients(): AsyncIterable<Client>;
  /** Of the resources that tokens can be asked for, in all tenants. */
  resourceUris(): AsyncIterable<{
    readonly uri: string;
    readonly tenantId: string;
    /** The tenant that the URI is reserved for. */
    readonly owner: string | undefined;
    /** The tenant that its host is kept for. */
    readonly hostOf: string | undefined;
  }>;
  /** The challenge of a call without a token, as clients get it. */
  challenge(): Promise<string | undefined>;
}
