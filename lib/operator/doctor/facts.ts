import type { Application } from '../../../shared/ports/directory.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';

/** What an environment is examined by. Each answer may fail: a failure is a finding, and the examination goes on. */
export interface Facts {
  /** The domain that mail is sent from, and the subdomain that it comes back to. */
  readonly mail: { readonly identity: string; readonly mailFromDomain: string };
  readonly production: boolean;
  /** What SMS may cost in a month, in US dollars, as the environment says. */
  readonly smsLimitUsd: number;
  /** How functions may sign. */
  readonly signingModes: readonly ('kms' | 'kms-envelope')[];
  /** What KMS calls the keys that are not in a record, by their use. */
  readonly keys: Readonly<Record<string, string>>;
  sesAccount(): Promise<{ readonly productionAccess: boolean; readonly sendingEnabled: boolean }>;
  sesIdentity(): Promise<{
    readonly verified: boolean;
    readonly dkimSigned: boolean;
    readonly dkimTokens: readonly string[];
    readonly mailFromVerified: boolean;
  }>;
  /** Whether opens or clicks of mails are tracked: links would be rewritten. */
  sesTracking(): Promise<boolean>;
  sms(): Promise<{ readonly sandbox: boolean; readonly monthlySpendLimit: number | undefined }>;
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
      readonly protected: boolean;
    }[]
  >;
  signingKeys(): Promise<readonly SigningKey[]>;
  /** `key`: an ARN, an ID or an alias. */
  keyEnabled(key: string): Promise<boolean>;
  /** Seconds that our clock is ahead of that of AWS. */
  clockSkewSeconds(): Promise<number>;
  applications(): AsyncIterable<Application>;
  /** The challenge of a call without a token, as a client out there gets it. */
  challenge(): Promise<string | undefined>;
}
