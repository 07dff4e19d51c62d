import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type Environment, toNamePrefix, toStackArguments } from '../environments/environment.ts';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { alarmRules } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import { API_FAILURES, UNUSABLE_KEY } from './failures.ts';

/** KMS calls that can allow the use of a key despite its policy, or destroy the key. CloudTrail records these calls. */
const KEY_CALLS = ['CreateGrant', 'DisableKey', 'PutKeyPolicy', 'ScheduleKeyDeletion'];

/** Stack with the alarms and the dashboard. */
export class OperationsStack extends Stack {
  /** Names of the alarms that trigger a rollback of new code. */
  readonly rollbackAlarms: readonly string[];
  private readonly watchedEnvironment: Environment;
  /** SNS topic that delivers alarms. */
  readonly topic: Topic;

  constructor(scope: Construct, watched: AlarmContext & { readonly keyArns: readonly string[] }) {
    const { environment, keyArns } = watched;
    super(scope, ...toStackArguments(environment, 'operations', 'alarms and the dashboard'));
    this.watchedEnvironment = environment;
    this.topic = this.addTopic(environment.alarmMail);
    const rules = alarmRules(watched);
    for (const rule of rules) this.addAlarm(this, rule);
    // The API's alarm is created later, with the API. It is missing only in the first deployment, which rolls nothing back.
    const names = [...rules.filter((rule) => rule.rollsBack).map(({ name }) => name), API_FAILURES];
    this.rollbackAlarms = environment.alarms
      ? names.map((name) => `${toNamePrefix(environment)}-${name}`)
      : [];
    const at = EventField.fromPath;
    const { firstStep, runbookSection } = UNUSABLE_KEY;
    const message = `${at('$.detail.userIdentity.arn')} called ${at('$.detail.eventName')} for the KMS key ${at('$.detail.resources[0].ARN')} of ${toNamePrefix(environment)}. Ignore this message if an operator planned the call.`;
    new Rule(this, 'KeysTouched', {
      description: 'A call can use or destroy a key of the service in spite of its policy',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventName: KEY_CALLS, resources: { ARN: [...keyArns] } },
      },
      targets: [
        new SnsTopic(this.topic, {
          message: RuleTargetInput.fromText(
            `${message} First: ${firstStep} Then: ${this.toLink(runbookSection)}`,
          ),
        }),
      ],
    });
    if (environment.alarms) addDashboard(this, watched);
  }

  private addTopic(mail: string | undefined): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: 'One-Time Login', enforceSSL: true });
    // A resource policy replaces the default one, which would admit the whole account.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (mail !== undefined) topic.addSubscription(new EmailSubscription(mail));
    return topic;
  }

  private toLink(runbookSection: string): string {
    return `${this.watchedEnvironment.runbook ?? ''}lib/${runbookSection}`;
  }

  /**
   * Creates an alarm in `scope`, which may be in a stack that is deployed later. Does nothing in environments without alarms.
   */
  addAlarm(scope: Construct, rule: AlarmRule): void {
    if (!this.watchedEnvironment.alarms) return;
    const { name, reason, firstStep, runbookSection, metric, above, below, breachingPeriods, periods } = rule;
    const alarm = new Alarm(scope, name, {
      alarmName: `${toNamePrefix(this.watchedEnvironment)}-${name}`,
      alarmDescription: `${reason} First: ${firstStep} Then: ${this.toLink(runbookSection)}`,
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        above === undefined
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: breachingPeriods,
      evaluationPeriods: periods,
      // Without requests there are no failures.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }
}
