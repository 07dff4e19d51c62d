import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle-folders.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import type { Environment } from '../environments/environment.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { ServiceFunction } from './service-function.ts';

/** Interval of the function `watch`, in minutes. */
const INTERVAL_MINUTES = 5;

/** Creates the scheduled function that records metrics which no request records. */
export function addWatch(scope: Construct, environment: Environment, bundle: Bundle): void {
  const watch = new ServiceFunction(scope, 'Watch', {
    environment,
    name: 'watch',
    description: 'Records how many mails SES still sends today, and that there were no requests',
    bundle,
    grants: [new PolicyStatement({ sid: 'SendQuota', actions: ['ses:GetSendQuota'], resources: ['*'] })],
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
