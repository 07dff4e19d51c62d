import type { Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AnomalyDetectionAlarm,
  ComparisonOperator,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type Environment, toNamePrefix } from '../environments/environment.ts';
import type { AlarmRule } from './alarm-rule.ts';

/**
 * Creates the SNS topic of the alarms in one region, and subscribes the environment's alarm address to it. CloudWatch delivers
 * alarms only to topics of its own region.
 */
export function addAlarmTopic(stack: Stack, { alarmMail }: Environment): Topic {
  const topic = new Topic(stack, 'Alarms', { displayName: 'One-Time Login', enforceSSL: true });
  // A resource policy replaces the default one, which would admit the whole account.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Alarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  );
  if (alarmMail !== undefined) topic.addSubscription(new EmailSubscription(alarmMail));
  return topic;
}

/** Returns the URL of a section of the runbook, or its path in the repository if the environment has no runbook URL. */
export const toRunbookLink = ({ runbook = '' }: Environment, section: string): string =>
  `${runbook}lib/${section}`;

/** Treatment of periods without data. By default, an alarm returns to OK, because there are no failures without requests. */
const MISSING = {
  end: TreatMissingData.NOT_BREACHING,
  keep: TreatMissingData.IGNORE,
  trigger: TreatMissingData.BREACHING,
} as const;

/** Creates an alarm that notifies a topic of its region. Does nothing in environments without alarms. */
export function addAlarm(scope: Construct, environment: Environment, topic: Topic, rule: AlarmRule): void {
  if (!environment.alarms) return;
  const { name, reason, firstStep, runbookSection, metric, above, below, deviationsBelow } = rule;
  const settings = {
    alarmName: `${toNamePrefix(environment)}-${name}`,
    alarmDescription: `${reason} First: ${firstStep} Then: ${toRunbookLink(environment, runbookSection)}`,
    metric,
    datapointsToAlarm: rule.breachingPeriods,
    evaluationPeriods: rule.periods,
    treatMissingData: MISSING[rule.withoutData ?? 'end'],
  };
  const { GREATER_THAN_THRESHOLD, LESS_THAN_THRESHOLD, LESS_THAN_LOWER_THRESHOLD } = ComparisonOperator;
  const alarm =
    deviationsBelow === undefined
      ? new Alarm(scope, name, {
          ...settings,
          threshold: above ?? below ?? 0,
          comparisonOperator: above === undefined ? LESS_THAN_THRESHOLD : GREATER_THAN_THRESHOLD,
        })
      : new AnomalyDetectionAlarm(scope, name, {
          ...settings,
          stdDevs: deviationsBelow,
          comparisonOperator: LESS_THAN_LOWER_THRESHOLD,
        });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}
