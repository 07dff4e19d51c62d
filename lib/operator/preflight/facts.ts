import type { Environment } from '../../stacks/environments/environment.ts';
import type { AccountFacts } from '../doctor/facts.ts';

/** What has a name that a second one cannot have. */
export type TakenKind =
  | 'tables'
  | 'key-aliases'
  | 'mail-identity'
  | 'log-groups'
  | 'vaults'
  | 'functions'
  | 'host'
  | 'records';

/** The facts before a deployment. Each may fail: the failure is a finding, and the other checks continue. */
export interface PreflightFacts extends AccountFacts {
  readonly environment: Environment;
  /** The account and the name of the AWS credentials. */
  caller(): Promise<{ readonly account: string; readonly arn: string }>;
  /** The version of CDK's bootstrap stack; undefined where there is none. */
  bootstrapVersion(region: string): Promise<number | undefined>;
  /** The hosted zone of the environment; undefined when Route 53 knows no such ID in this account. */
  zone(
    id: string,
  ): Promise<
    | { readonly name: string; readonly isPrivate: boolean; readonly nameServers: readonly string[] }
    | undefined
  >;
  /** The name servers of a name, in public DNS. */
  ns(name: string): Promise<readonly string[]>;
  /** The authorities that may issue certificates for a name (RFC 8659); empty: the name does not say. */
  caa(name: string): Promise<readonly string[] | undefined>;
  /** A log group of SNS deliveries that no environment of ours has made. */
  foreignDeliveryLog(account: string): Promise<string | undefined>;
  /** Names that the deployment gives to such things, and that no stack of the environment has given. */
  taken(kind: TakenKind): Promise<readonly string[]>;
  /** Whether something answers at the domain over HTTPS. */
  answers(): Promise<boolean>;
}
