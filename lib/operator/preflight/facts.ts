import type { Environment } from '../../stacks/environments/environment.ts';
import type { AccountFacts } from '../doctor/facts.ts';

/** Kind of resource whose name can exist only once. */
export type ExistingKind =
  | 'tables'
  | 'key-aliases'
  | 'mail-identity'
  | 'log-groups'
  | 'vaults'
  | 'functions'
  | 'host'
  | 'records';

/** Facts before a deployment. Each may fail to load; the failure is reported as a finding, and the other checks continue. */
export interface PreflightFacts extends AccountFacts {
  readonly environment: Environment;
  /** Returns the account and the ARN of the AWS credentials. */
  caller(): Promise<{ readonly account: string; readonly arn: string }>;
  /** Returns the version of CDK's bootstrap stack, or undefined if there is none. */
  bootstrapVersion(region: string): Promise<number | undefined>;
  /** Returns the hosted zone with an ID, or undefined if this account has none in Route 53. */
  zone(
    id: string,
  ): Promise<
    | { readonly name: string; readonly isPrivate: boolean; readonly nameServers: readonly string[] }
    | undefined
  >;
  /** Returns the name servers of a domain name in the public DNS. */
  ns(name: string): Promise<readonly string[]>;
  /** Authorities that may issue certificates (RFC 8659): empty if records restrict none, undefined without CAA records. */
  caa(name: string): Promise<readonly string[] | undefined>;
  /** Returns the log group of SNS deliveries if it exists and none of our environments created it. */
  foreignDeliveryLog(account: string): Promise<string | undefined>;
  /** Returns the names of this kind that the deployment would use and that exist outside of its stacks. */
  existing(kind: ExistingKind): Promise<readonly string[]>;
  /** Returns true if the domain answers over HTTPS. */
  answers(): Promise<boolean>;
}
