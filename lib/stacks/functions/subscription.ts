import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BackgroundName } from '../../../functions/background.ts';
import type { Environment } from '../environments/environment.ts';
import { functionNameOf } from './service-function.ts';

const FORWARDER: BackgroundName = 'event-forwarder';

/** Sends log lines with security-relevant events to the forwarder, by its name. */
export function forwardEvents(
  scope: Construct,
  logGroup: ILogGroup,
  environment: Environment,
): CfnSubscriptionFilter {
  return new CfnSubscriptionFilter(scope, 'Events', {
    logGroupName: logGroup.logGroupName,
    filterPattern: '{ $.audit[0] = "*" }',
    destinationArn: Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: functionNameOf(environment, FORWARDER),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}

/** Lets CloudWatch Logs call the forwarder for log groups of this account. */
export function letLogsCall(forwarder: Lambda, id: string, logGroupNames: string): void {
  const { account } = Stack.of(forwarder);
  forwarder.addPermission(id, {
    principal: new ServicePrincipal('logs.amazonaws.com'),
    sourceAccount: account,
    sourceArn: Stack.of(forwarder).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: logGroupNames,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}
