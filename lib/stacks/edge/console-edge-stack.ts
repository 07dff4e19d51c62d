import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { consoleOperations } from '../../../functions/operations.ts';
import { pathsOf } from '../../../shared/http/path.ts';
import { consoleDomainOf } from '../environments/environment.ts';
import { DistributionStack, type DistributionStackProps } from './distribution-stack.ts';

/** Begins the paths of the console's functions, and no path that its operators see. */
const CONSOLE_PATH = '/console';

export interface ConsoleEdgeStackProps extends DistributionStackProps {
  /** The hosts of the console's functions, by entry. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** The host of the operator console. No route of the service leads to its functions. */
export class ConsoleEdgeStack extends DistributionStack {
  readonly distribution: Distribution;

  constructor(scope: Construct, props: ConsoleEdgeStackProps) {
    super(scope, 'console', props);
    const behaviorTo = this.behaviors();
    const paths = Object.values(consoleOperations).flatMap((row) => {
      const behavior = behaviorTo(props.hosts.get(row.event) ?? '', row.event, CONSOLE_PATH);
      return pathsOf(row).map((path) => [path.slice(CONSOLE_PATH.length), behavior] as const);
    });
    const { '/': screens, ...others } = Object.fromEntries(paths);
    if (!screens) throw new Error('no row of the console has its first path');
    this.distribution = this.addDistribution(consoleDomainOf(props.environment), {
      defaultBehavior: screens,
      additionalBehaviors: Object.fromEntries(Object.entries(others).filter(([path]) => !path.includes('{'))),
    });
  }
}
