import { RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { consoleOperations } from '../../../functions/operations.ts';
import { listPaths } from '../../../shared/http/path.ts';
import { toConsoleDomain } from '../environments/environment.ts';
import { DistributionStack, type DistributionStackProps } from './distribution-stack.ts';

/** Path prefix of the console's functions, which operators do not see in their browsers. */
const CONSOLE_PATH = '/console';

export interface ConsoleEdgeStackProps extends DistributionStackProps {
  /** Host names of the console's functions, keyed by bundle entry. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** CloudFront distribution of the operator console. The service's own distribution has no path to the console's functions. */
export class ConsoleEdgeStack extends DistributionStack {
  readonly distribution: Distribution;

  constructor(scope: Construct, props: ConsoleEdgeStackProps) {
    // The DNS records are deleted with the stack. A record that stays would make a later deployment of the console fail.
    const environment = { ...props.environment, removalPolicy: RemovalPolicy.DESTROY };
    super(scope, 'console', { ...props, environment });
    const behaviorTo = this.behaviors();
    const paths = Object.values(consoleOperations).flatMap((row) => {
      const behavior = behaviorTo(props.hosts.get(row.event) ?? '', row.event, CONSOLE_PATH);
      return listPaths(row).map((path) => [path.slice(CONSOLE_PATH.length), behavior] as const);
    });
    const { '/': screens, ...others } = Object.fromEntries(paths);
    if (!screens) throw new Error('no row of the console has its first path');
    this.distribution = this.addDistribution(toConsoleDomain(props.environment), {
      defaultBehavior: screens,
      additionalBehaviors: Object.fromEntries(Object.entries(others).filter(([path]) => !path.includes('{'))),
    });
  }
}
