import { Stack } from 'aws-cdk-lib';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Environment, toStackArguments } from '../environments/environment.ts';
import { addAlarm } from '../operations/add-alarm.ts';
import { edgeFailures } from '../operations/edge-alarms.ts';
import type { ConsoleEdgeStack } from './console-edge-stack.ts';
import type { EdgeStack } from './edge-stack.ts';
import { GLOBAL_REGION, type GlobalStack } from './global-stack.ts';
import { consoleLogName, edgeLogName } from './log-bucket.ts';

/**
 * Fields of CloudFront's access log. Query strings are left out because they contain codes, and paths because they contain
 * email addresses and login IDs. Cookies and referrers are also left out. The operation is named in the log of its function.
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

interface Hosts {
  readonly global: GlobalStack;
  readonly edge: EdgeStack;
  /** Stack of the operator console's distribution. Absent if the deployment has no console. */
  readonly consoleEdge: ConsoleEdgeStack | undefined;
}

/**
 * Stack in us-east-1 that delivers the access logs to the region of the environment. The stack also has the alarm for errors of
 * CloudFront, because `GlobalStack` is deployed before CloudFront.
 */
export class EdgeLogStack extends Stack {
  constructor(scope: Construct, environment: Environment, hosts: Hosts, logBucketArn: string) {
    const content = 'delivery of CloudFront access logs, and alarm for CloudFront errors';
    const name = edgeLogName(environment);
    super(scope, ...toStackArguments(environment, 'edge-log', content, { env: { region: GLOBAL_REGION } }));
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      outputFormat: 'json',
      destinationResourceArn: logBucketArn,
    });
    for (const [id, stack, sourceName] of [
      ['', hosts.edge, name],
      ['Console', hosts.consoleEdge, consoleLogName(environment)],
    ] as const) {
      if (!stack) continue;
      const { distributionId } = stack.distribution;
      const source = new CfnDeliverySource(this, `${id}Source`, {
        name: sourceName,
        logType: 'ACCESS_LOGS',
        resourceArn: `arn:aws:cloudfront::${this.account}:distribution/${distributionId}`,
      });
      new CfnDelivery(this, `${id}Delivery`, {
        deliverySourceName: source.name,
        deliveryDestinationArn: destination.attrArn,
        recordFields: EDGE_LOG_FIELDS,
        s3SuffixPath: '{yyyy}/{MM}/{dd}/{HH}',
      }).addResourceDependency(source);
    }
    addAlarm(this, environment, hosts.global.topic, edgeFailures(hosts.edge.distribution.distributionId));
  }
}
