import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { ListSubscriptionsByTopicCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { GLOBAL_REGION } from '../../stacks/edge/global-stack.ts';
import { type Environment, toNamePrefix } from '../../stacks/environments/environment.ts';
import type { AlarmTopic } from './facts.ts';
import type { Finding } from './verdict.ts';

/** `SubscriptionArn` of a subscription whose receiver has not confirmed it ("ListSubscriptionsByTopic"). */
const PENDING = 'PendingConfirmation';

async function findTopic(StackName: string, region: string): Promise<string> {
  const client = new CloudFormationClient({ ...CALL_SETTINGS, region });
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
  const topic = StackResources.find(({ ResourceType }) => ResourceType === 'AWS::SNS::Topic');
  if (topic?.PhysicalResourceId === undefined) throw new Error(`The stack ${StackName} has no topic.`);
  return topic.PhysicalResourceId;
}

async function readTopic(stack: string, region: string): Promise<AlarmTopic> {
  const TopicArn = await findTopic(stack, region);
  const sns = new SNSClient({ ...CALL_SETTINGS, region });
  const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  const pending = Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === PENDING);
  return {
    region,
    arn: TopicArn,
    confirmed: Subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:')).length,
    pending: pending.flatMap(({ Endpoint }) => Endpoint ?? []),
  };
}

/** Reads the receivers of the alarms in the environment's region, and of the alarms in us-east-1. */
export function readAlarmTopics(environment: Environment): Promise<readonly AlarmTopic[]> {
  const prefix = toNamePrefix(environment);
  return Promise.all([
    readTopic(`${prefix}-operations`, environment.region),
    readTopic(`${prefix}-global`, GLOBAL_REGION),
  ]);
}

/** Sends the failed checks to the receivers of the alarms. Sends nothing if no check has failed. */
export async function notifyReceivers(environment: Environment, findings: readonly Finding[]): Promise<void> {
  const failed = findings.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return;
  const prefix = toNamePrefix(environment);
  const { region } = environment;
  const message = failed.map(({ check, detail, advice }) => `${check}: ${detail}\n${advice}`);
  await new SNSClient({ ...CALL_SETTINGS, region }).send(
    new PublishCommand({
      TopicArn: await findTopic(`${prefix}-operations`, region),
      Subject: `otl doctor: ${failed.length} failed checks of ${prefix}`,
      Message: message.join('\n\n'),
    }),
  );
}
