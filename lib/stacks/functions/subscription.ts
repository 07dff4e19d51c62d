import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BackgroundName } from '../../../functions/background.ts';
import type { Environment } from '../environments/environment.ts';
import { toFunctionName } from './service-function.ts';

const FORWARDER: BackgroundName = 'event-forwarder';

/**
 * Subscribes the event forwarder, given by its name, to log lines that contain security events or the use of a client secret.
 */
export const forwardEvents = (
  scope: Construct,
  { logGroupName }: ILogGroup,
  environment: Environment,
): CfnSubscriptionFilter =>
  subscribe(scope, 'Events', {
    environment,
    logGroupName,
    filterPattern: '{ ($.audit[0] = "*") || ($.secret_used = "*") }',
    name: FORWARDER,
  });

/** Subscribes a function, given by name, to lines of a log group. */
export function subscribe(
  scope: Construct,
  id: string,
  {
    environment,
    name,
    logGroupName,
    filterPattern,
  }: {
    readonly environment: Environment;
    readonly name: BackgroundName;
    readonly logGroupName: string;
    readonly filterPattern: string;
  },
): CfnSubscriptionFilter {
  return new CfnSubscriptionFilter(scope, id, {
    logGroupName,
    filterPattern,
    destinationArn: Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: toFunctionName(environment, name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}

/** Allows CloudWatch Logs to call the function for the given log groups of this account. */
export function letLogsCall(called: Lambda, id: string, logGroupNames: string): void {
  const { account } = Stack.of(called);
  called.addPermission(id, {
    principal: new ServicePrincipal('logs.amazonaws.com'),
    sourceAccount: account,
    sourceArn: Stack.of(called).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: logGroupNames,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  });
}
