import { HostedZone, type IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Environment } from './environment.ts';

/** Returns the Route 53 zone for the DNS records of an environment. Returns undefined if the records are kept elsewhere. */
export function findZone(scope: Construct, { hostedZone }: Environment): IHostedZone | undefined {
  if (!hostedZone) return undefined;
  const { id, name } = hostedZone;
  return HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: id, zoneName: name });
}
