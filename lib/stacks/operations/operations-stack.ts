import { Stack } from 'aws-cdk-lib';
import { EventField, type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Environment, toNamePrefix, toStackArguments } from '../environments/environment.ts';
import { addAlarm, addAlarmTopic, toRunbookLink } from './add-alarm.ts';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { alarmRules } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import { API_FAILURES, UNUSABLE_KEY } from './failures.ts';

/** KMS calls that can allow the use of a key despite its policy, or destroy the key. CloudTrail records these calls. */
const KEY_CALLS = ['CreateGrant', 'DisableKey', 'PutKeyPolicy', 'ScheduleKeyDeletion'];

/** Event of AWS that the alarm topic reports, with the texts of its message. */
interface EventRule extends Pick<AlarmRule, 'firstStep' | 'runbookSection'> {
  readonly description: string;
  readonly message: string;
  readonly eventPattern: EventPattern;
}

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
    this.topic = addAlarmTopic(this, environment);
    const rules = alarmRules(watched);
    for (const rule of rules) this.addAlarm(this, rule);
    // The alarm of the API is created later, together with the API. Only the first deployment runs without it, and that
    // deployment has nothing to roll back to.
    const names = [...rules.filter((rule) => rule.rollsBack).map(({ name }) => name), API_FAILURES];
    this.rollbackAlarms = environment.alarms
      ? names.map((name) => `${toNamePrefix(environment)}-${name}`)
      : [];
    this.addKeyRule(keyArns);
    if (environment.production) this.addBackupRule([watched.tables.directory, watched.tables.people]);
    if (environment.alarms) addDashboard(this, watched);
  }

  /** Notifies operators of calls that can allow the use of a KMS key in spite of its policy, or destroy the key. */
  private addKeyRule(keyArns: readonly string[]): void {
    const at = EventField.fromPath;
    const message = `${at('$.detail.userIdentity.arn')} called ${at('$.detail.eventName')} for the KMS key ${at('$.detail.resources[0].ARN')} of ${toNamePrefix(this.watchedEnvironment)}. Ignore this message if an operator planned the call.`;
    this.addRule('KeysTouched', {
      description: 'A call can use or destroy a key of the service in spite of its policy',
      message,
      ...UNUSABLE_KEY,
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventName: KEY_CALLS, resources: { ARN: [...keyArns] } },
      },
    });
  }

  /** Notifies operators of table backups that AWS Backup could not finish, and of second copies that it could not make. */
  private addBackupRule(tables: readonly string[]): void {
    const at = EventField.fromPath;
    const resourceArn = tables.map((resourceName) =>
      this.formatArn({ service: 'dynamodb', resource: 'table', resourceName }),
    );
    this.addRule('BackupsFailed', {
      description: 'A backup of a table or its second copy has failed',
      message: `${at('$.detail-type')}: ${at('$.detail.state')}. The vault of ${toNamePrefix(this.watchedEnvironment)} lacks today's copy of ${at('$.detail.resourceArn')}.`,
      firstStep: 'run otl doctor, which shows the age of the newest copies.',
      runbookSection: 'INCIDENTS.md#backups-fail',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: { state: ['FAILED', 'ABORTED', 'EXPIRED'], resourceArn },
      },
    });
  }

  private addRule(id: string, { description, eventPattern, ...told }: EventRule): void {
    const { message, firstStep, runbookSection } = told;
    const link = toRunbookLink(this.watchedEnvironment, runbookSection);
    const text = RuleTargetInput.fromText(`${message} First: ${firstStep} Then: ${link}`);
    new Rule(this, id, {
      description,
      eventPattern,
      // The statement of EventBridge in the topic's policy cannot have a condition on the account: EventBridge sends none of the
      // condition keys to SNS ("Amazon SNS permissions", EventBridge User Guide), and would deliver nothing.
      targets: [new SnsTopic(this.topic, { message: text })],
    });
  }

  /**
   * Creates an alarm in `scope`, which may be in a stack that is deployed later. Does nothing in environments without alarms.
   */
  addAlarm(scope: Construct, rule: AlarmRule): void {
    addAlarm(scope, this.watchedEnvironment, this.topic, rule);
  }
}
