import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle-folders.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toSyntheticSecretName } from '../environments/environment.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { ServiceFunction } from './service-function.ts';
import { buildVariables } from './variables.ts';

/** Interval of the function `watch`, in minutes. */
const INTERVAL_MINUTES = 5;

/**
 * Returns the policy statement that allows a function to read the secret of the synthetic user. Secrets Manager adds six
 * characters to the name of a secret in its ARN.
 */
const readSyntheticSecret = (stack: Stack, environment: Environment): PolicyStatement =>
  new PolicyStatement({
    sid: 'SyntheticSecret',
    actions: ['secretsmanager:GetSecretValue'],
    resources: [
      stack.formatArn({
        service: 'secretsmanager',
        resource: 'secret',
        resourceName: `${toSyntheticSecretName(environment)}-??????`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
  });

/** Creates the scheduled function that records metrics which no request records, and that makes the synthetic logins. */
export function addWatch(scope: Construct, environment: Environment, bundle: Bundle): void {
  const watch = new ServiceFunction(scope, 'Watch', {
    environment,
    name: 'watch',
    description: 'Records how many mails SES still sends today, and that there were no requests',
    bundle,
    grants: [
      new PolicyStatement({ sid: 'SendQuota', actions: ['ses:GetSendQuota'], resources: ['*'] }),
      ...(environment.syntheticLogin ? [readSyntheticSecret(Stack.of(scope), environment)] : []),
    ],
    variables: {
      ...buildVariables([], environment),
      ...(environment.syntheticLogin && { SYNTHETIC_SECRET: toSyntheticSecretName(environment) }),
    },
  });
  acknowledge(watch, { 'IAM5[Resource::*]': WIDE_RESOURCES.SendQuota });
  new Rule(scope, 'WatchRule', {
    description: 'Starts the function that records metrics without requests',
    schedule: Schedule.rate(Duration.minutes(INTERVAL_MINUTES)),
    // The next run makes up for a failed one.
    targets: [new LambdaFunction(watch.function, { retryAttempts: 0 })],
  });
  watch.function.configureAsyncInvoke({ retryAttempts: 0 });
}
