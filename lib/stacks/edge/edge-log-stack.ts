import { Stack } from 'aws-cdk-lib';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import type { EdgeStack } from './edge-stack.ts';
import { GLOBAL_REGION } from './global-stack.ts';
import { edgeLogName } from './log-bucket.ts';

/**
 * The log fields of the edge: no query string (codes), cookie or referrer, and no path (email addresses, IDs of logins). The
 * log of its function names the operation.
 */
const EDGE_LOG_FIELDS = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'c-ip',
  'cs-method',
  'sc-status',
  'sc-bytes',
  'cs-bytes',
  'time-taken',
  'time-to-first-byte',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'ssl-protocol',
  'cs-protocol-version',
];

/** The delivery is configured in us-east-1; the log goes to the region of the environment. */
export class EdgeLogStack extends Stack {
  constructor(scope: Construct, environment: Environment, edge: EdgeStack, logBucketArn: string) {
    const props = stackPropsOf(environment, 'where CloudFront sends its log');
    const name = edgeLogName(environment);
    super(scope, `${prefixOf(environment)}-edge-log`, {
      ...props,
      env: { ...props.env, region: GLOBAL_REGION },
    });
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: `arn:aws:cloudfront::${this.account}:distribution/${edge.distribution.distributionId}`,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      outputFormat: 'json',
      destinationResourceArn: logBucketArn,
    });
    new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: EDGE_LOG_FIELDS,
      s3SuffixPath: '{yyyy}/{MM}/{dd}/{HH}',
    }).addResourceDependency(source);
  }
}
