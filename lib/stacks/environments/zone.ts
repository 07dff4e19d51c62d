import { RemovalPolicies } from 'aws-cdk-lib';
import { CfnRecordSet, HostedZone, type IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Environment } from './environment.ts';

/**
 * Returns the Route 53 zone for the DNS records of an environment, or undefined if the records are kept elsewhere. In
 * production, the records in `scope` stay when a deployment no longer names the zone, because users reach the service by these
 * records.
 */
export function findZone(scope: Construct, environment: Environment): IHostedZone | undefined {
  const { hostedZone, removalPolicy } = environment;
  if (!hostedZone) return undefined;
  const applyToResourceTypes = [CfnRecordSet.CFN_RESOURCE_TYPE_NAME];
  RemovalPolicies.of(scope).apply(removalPolicy, { applyToResourceTypes });
  const { id, name } = hostedZone;
  return HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: id, zoneName: name });
}
