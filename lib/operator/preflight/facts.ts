import type { Environment } from '../../stacks/environments/environment.ts';
import type { AccountFacts } from '../doctor/facts.ts';

/** Kind of resource that needs a unique name. */
export type ExistingKind =
  | 'tables'
  | 'key-aliases'
  | 'mail-identity'
  | 'log-groups'
  | 'vaults'
  | 'functions'
  | 'host'
  | 'records';

/**
 * Facts that are read before a deployment. If a fact cannot be read, this is reported as a finding, and the other checks
 * continue.
 */
export interface PreflightFacts extends AccountFacts {
  readonly environment: Environment;
  /** Returns the account ID and the ARN of the caller's AWS identity. */
  caller(): Promise<{ readonly account: string; readonly arn: string }>;
  /** Returns the version of CDK's bootstrap stack, or undefined if the region has no bootstrap stack. */
  bootstrapVersion(region: string): Promise<number | undefined>;
  /** Returns the qualifiers of all bootstrap stacks of CDK in a region. */
  bootstrapQualifiers(region: string): Promise<readonly string[]>;
  /** Returns the kind of policy that explicitly forbids public function URLs, or undefined if they are allowed. */
  policyAgainstFunctionUrls(): Promise<string | undefined>;
  /** Returns the hosted zone with this ID, or undefined if the account has no such zone in Route 53. */
  zone(
    id: string,
  ): Promise<
    | { readonly name: string; readonly isPrivate: boolean; readonly nameServers: readonly string[] }
    | undefined
  >;
  /** Returns the name servers that the public DNS lists for a domain name. */
  ns(name: string): Promise<readonly string[]>;
  /**
   * Returns the authorities that may issue certificates (RFC 8659). The list is empty if the CAA records restrict nothing.
   * Returns undefined if the name has no CAA records.
   */
  caa(name: string): Promise<readonly string[] | undefined>;
  /** Returns the log group of SNS deliveries, if it exists and was not created by our environments. */
  foreignDeliveryLog(account: string): Promise<string | undefined>;
  /**
   * Returns the names that the deployment needs for one kind of resource, but that existing resources outside of its stacks
   * already have.
   */
  existing(kind: ExistingKind): Promise<readonly string[]>;
  /** Returns true if a server already responds at the environment's domain over HTTPS. */
  answers(): Promise<boolean>;
}
