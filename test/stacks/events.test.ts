import { describe, expect, test } from '@jest/globals';
import { listQueuePrefixes } from '../../lib/stacks/environments/environment.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { ACCOUNT, Cloud } from './support/cloud.ts';
import { switchedTemplates, synthesized } from './support/synthesized.ts';

const cloud = new Cloud(synthesized('eu').templates);
const [forwarder] = cloud.functions().filter(({ name }) => name === 'otl-eu-event-forwarder');
const filters = cloud.resources('AWS::Logs::SubscriptionFilter');

describe('N127: log of changes made with otl commands', () => {
  const [group, ...others] = cloud
    .resources('AWS::Logs::LogGroup')
    .filter(({ properties }) => properties.LogGroupName === 'otl-eu-operator');

  test('the operator log is kept for a year, even if its stack is deleted', () => {
    expect(others).toEqual([]);
    expect(group).toMatchObject({ stack: 'otl-eu-events', properties: { RetentionInDays: 365 } });
    const resource = cloud.templates['otl-eu-events']?.Resources[group?.id ?? ''];
    expect(resource).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });

  test('only the expected log groups and rules may invoke the function that forwards the operator log', () => {
    const [filter, ...more] = filters.filter(({ properties }) => properties.LogGroupName === group?.id);
    expect(more).toEqual([]);
    expect(filter?.properties).toEqual({
      LogGroupName: group?.id,
      FilterPattern: '{ ($.audit[0] = "*") || ($.secret_used = "*") }',
      DestinationArn: expect.stringMatching(/:function:otl-eu-event-forwarder$/),
    });
    const callers = forwarder?.permissions.map(({ Principal, SourceAccount, SourceArn }) => [
      ...[
        Principal,
        SourceAccount,
        JSON.stringify(SourceArn)?.replace(/^"|"$/g, '').split(':log-group:').at(-1),
      ],
    ]);
    expect(callers).toEqual([
      ['logs.amazonaws.com', ACCOUNT, 'otl-eu-api-*'],
      ['logs.amazonaws.com', ACCOUNT, 'otl-eu-operator:*'],
      ['logs.amazonaws.com', ACCOUNT, expect.stringMatching(/^WebhooksLog\w+:\*$/)],
      ['logs.amazonaws.com', ACCOUNT, expect.stringMatching(/^JobsLog\w+:\*$/)],
      ['events.amazonaws.com', undefined, expect.stringMatching(/FailedEventsRule/)],
    ]);
  });

  test('the log subscription is created after the permission to invoke its forwarder function', () => {
    const template = cloud.templates['otl-eu-events']?.Resources ?? {};
    const [id] =
      Object.entries(template).find(([, { Type }]) => Type === 'AWS::Logs::SubscriptionFilter') ?? [];
    const permissions = Object.keys(template).filter(
      (name) => template[name]?.Type === 'AWS::Lambda::Permission' && /^Forwarder.*OperatorLog/.test(name),
    );
    expect(permissions).toHaveLength(1);
    expect(template[id ?? '']?.DependsOn).toEqual(expect.arrayContaining(permissions));
  });

  test('no Lambda function can write to the operator log', () => {
    for (const { statements } of cloud.functions())
      for (const { Resource = [] } of statements)
        expect(Resource.filter((resource) => resource.includes(group?.id ?? 'no group'))).toEqual([]);
  });
});

test('the jobs function runs every five minutes and may send failures to the dead-letter queue', () => {
  const [rule] = cloud
    .resources('AWS::Events::Rule')
    .filter(({ properties }) => properties.ScheduleExpression !== undefined);
  expect(rule?.properties).toMatchObject({
    ScheduleExpression: 'rate(5 minutes)',
    Targets: [{ Arn: expect.stringMatching(/:?function:otl-eu-jobs$/) }],
  });
  const [erasing] = cloud.functions().filter(({ name }) => name === 'otl-eu-jobs');
  expect(erasing?.statements.map(({ Sid }) => Sid)).toContain('DeadLetters');
  const isOwn = ({ properties }: { readonly properties: Record<string, unknown> }) =>
    /^JobsLog/.test(String(properties.LogGroupName));
  expect(filters.filter(isOwn)).toHaveLength(1);
});

test('the webhook queue receives only events that have webhooks, because each message costs money', () => {
  const patterns = cloud
    .resources('AWS::Events::Rule')
    .filter(({ id }) => id.startsWith('WebhooksRule'))
    .map(({ properties }) => properties.EventPattern);
  expect(patterns).toEqual([{ source: ['one-time-login'], detail: { webhooks: [{ exists: true }] } }]);
});

describe('concurrency of the webhook and notice queues', () => {
  const listMaximums = (of: Cloud) =>
    of
      .resources('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => (properties.ScalingConfig as Record<string, number>).MaximumConcurrency ?? 0);

  test('the webhook and notice queues leave most of the ten concurrent executions of a new account to logins', () => {
    expect(listMaximums(cloud)).toEqual([2, 2]);
  });

  test('otl doctor finds the webhook and notice queues by the prefixes of their names', () => {
    const [eu] = environments('eu', {});
    const names = cloud.resources('AWS::SQS::Queue').map(({ stack, id }) => `${stack}-${id}`);
    const prefixes = eu ? listQueuePrefixes(eu) : [];
    expect(prefixes.map((prefix) => names.filter((name) => name.startsWith(prefix)).length)).toEqual([1, 1]);
  });

  test('OTL_QUEUE_CONCURRENCY limits the concurrency of the webhook queue and of the notice queue', () => {
    expect(listMaximums(new Cloud(switchedTemplates('OTL_QUEUE_CONCURRENCY')))).toEqual([20, 20]);
  });
});
