import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { listPaths } from '../../../shared/http/path.ts';
import type { OperationTable } from '../../build/bundle-folders.ts';
import { toEdgePattern } from '../functions/routes.ts';
import { DistributionStack, type DistributionStackProps } from './distribution-stack.ts';
import { addEdgeLogBucket } from './log-bucket.ts';

export interface EdgeStackProps extends DistributionStackProps {
  readonly table: OperationTable;
  /** Host name at which CloudFront reaches the HTTP API. */
  readonly apiHost: string;
  /** Host names of function URLs, keyed by bundle entry. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** CloudFront distribution of the service. The API and the hosted pages share its host name. */
export class EdgeStack extends DistributionStack {
  readonly distribution: Distribution;
  /** ARN of the log bucket. Absent outside of production, because a bucket with objects cannot be deleted with its stack. */
  readonly logBucketArn: string | undefined;

  constructor(scope: Construct, props: EdgeStackProps) {
    super(scope, '', props);
    const { environment, apiHost, hosts, table } = props;
    const behaviorTo = this.behaviors();
    const behaviors = new Map([...hosts].map(([entry, host]) => [entry, behaviorTo(host, entry)]));
    const paths = Object.values(table).flatMap((row) => {
      const behavior = behaviors.get(row.event);
      return behavior ? listPaths(row).map((path) => [toEdgePattern(path), behavior] as const) : [];
    });
    // CloudFront uses the first path that matches, so literal paths come before paths with parameters.
    paths.sort(([one], [other]) => lettersIn(other) - lettersIn(one));
    this.distribution = this.addDistribution(environment.domain, {
      defaultBehavior: behaviorTo(apiHost, 'api'),
      additionalBehaviors: Object.fromEntries(paths),
    });
    this.logBucketArn = environment.production ? addEdgeLogBucket(this, environment) : undefined;
  }
}

const lettersIn = (pattern: string): number => pattern.replaceAll('*', '').length;
