import { describe, expect, test } from '@jest/globals';
import { METRIC_NAMESPACE, metrics } from '../../shared/http/metrics.ts';
import { Cloud, type Metric, type Query } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';
import { environmentsInRun } from './support/variants.ts';

const eu = synthesized('eu');
const cloud = new Cloud(eu.templates);

type Properties = Readonly<Record<string, unknown>> &
  Partial<Metric> & { readonly Metrics?: readonly Query[] };

const alarms = cloud.resources('AWS::CloudWatch::Alarm').map(({ properties }) => properties as Properties);
const readAlarmName = ({ AlarmName }: Properties) => String(AlarmName);
const alarm = (name: string) => {
  const found = alarms.find((each) => readAlarmName(each) === `otl-eu-${name}`);
  if (!found) throw new Error(`no alarm ${name}`);
  return found;
};
const listMetrics = (properties: Properties): readonly Metric[] =>
  properties.Metrics
    ? properties.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    : [properties as unknown as Metric];
const joinExpressions = (properties: Properties) =>
  properties.Metrics?.flatMap(({ Expression }) => Expression ?? []).join(' ');

/** Collects the dead-letter queues of queues, rules, subscriptions and functions in all of their notations. */
function deadLetterTargets(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { deadLetterTargetArn, DeadLetterConfig, OnFailure } = value as Record<string, unknown>;
  const { Arn, TargetArn } = (DeadLetterConfig ?? {}) as Record<string, unknown>;
  const { Destination } = (OnFailure ?? {}) as Record<string, unknown>;
  const here = [deadLetterTargetArn, Arn, TargetArn, Destination].filter((target) => target !== undefined);
  return [...here, ...Object.values(value).flatMap(deadLetterTargets)];
}

describe('CloudWatch alarms of an environment', () => {
  test('an environment has exactly the expected alarms', () => {
    expect(alarms.map((each) => readAlarmName(each).replace('otl-eu-', '')).toSorted()).toEqual(
      [
        ...['error-rate', 'api-failures', 'function-failures', 'key-unusable', 'slow'],
        ...[
          'functions-throttled',
          'tables-throttled',
          'signatures-near-quota',
          'macs-near-quota',
          'sms-spending',
          'sms-budget',
        ],
        ...['lockouts', 'sms-pumping', 'sms-not-verified', 'email-not-verified', 'edge-bypassed'],
        ...['delivery-refused', 'bounces', 'complaints', 'dead-letters', 'nothing-swept'],
      ].toSorted(),
    );
  });

  test.each(alarms.map((each) => [readAlarmName(each), each] as const))(
    'the alarm %s has a description and sends a notification when it starts and when it ends',
    (_name, each) => {
      expect(String(each.AlarmDescription).length).toBeGreaterThan(60);
      expect(each.AlarmActions).toEqual([expect.stringMatching(/^Alarms/)]);
      expect(each.OKActions).toEqual(each.AlarmActions);
      expect(each.TreatMissingData).toBe('notBreaching');
      // CloudWatch allows ten metrics per alarm, and a day of short or a week of long periods.
      expect(listMetrics(each).length).toBeLessThanOrEqual(10);
      const period = Number(
        each.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? each.Period,
      );
      expect(period * Number(each.EvaluationPeriods)).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800);
      expect(Number(each.DatapointsToAlarm)).toBeLessThanOrEqual(Number(each.EvaluationPeriods));
    },
  );

  test('alarms use only metrics that functions of the same environment write', () => {
    const known = new Set<string>(Object.values(metrics).map(({ name }) => name));
    const own = alarms.flatMap(listMetrics).filter(({ Namespace }) => Namespace === METRIC_NAMESPACE);
    expect(own.length).toBeGreaterThan(8);
    for (const { MetricName, Dimensions } of own) {
      expect(known).toContain(MetricName);
      expect(Dimensions).toContainEqual({ Name: 'Environment', Value: 'eu' });
      const metric = Object.values(metrics).find(({ name }) => name === MetricName);
      if (Dimensions?.some(({ Name }) => Name === 'Channel')) expect(metric?.byChannel).toBe(true);
    }
  });

  test('KMS alarms compare the KMS usage with the quota of the AWS account', () => {
    for (const [name, operations] of [
      ['signatures-near-quota', 'CryptographicOperationsRsa'],
      ['macs-near-quota', 'CryptographicOperationsSymmetric'],
    ] as const) {
      expect(joinExpressions(alarm(name))).toContain('SERVICE_QUOTA(');
      expect(listMetrics(alarm(name))).toMatchObject([{ Namespace: 'AWS/Usage', MetricName: 'CallCount' }]);
      expect(listMetrics(alarm(name))[0]?.Dimensions).toContainEqual({ Name: 'Resource', Value: operations });
    }
  });

  test('enabling ES256 in an environment enables it in all functions and creates the ES256 quota alarm', () => {
    const on = new Cloud(
      synthesized('eu with a zone, and copies in another region under a compliance lock').templates,
    );
    const names = on
      .resources('AWS::CloudWatch::Alarm')
      .map(({ properties }) => String(properties.AlarmName));
    expect(names).toContain('otl-eu-es256-signatures-near-quota');
    const variables = on
      .resources('AWS::Lambda::Function')
      .map(({ properties }) => JSON.stringify(properties.Environment ?? {}))
      .filter((text) => text.includes('"BASE_URL"'));
    expect(variables.length).toBeGreaterThan(0);
    for (const text of variables) expect(text).toContain('"ES256":"on"');
  });

  test('one alarm covers failures of all functions, and another covers throttling of the tables for logins', () => {
    const watched = listMetrics(alarm('function-failures')).filter(
      ({ Namespace }) => Namespace === 'AWS/Lambda',
    );
    expect(watched.map(({ MetricName, Dimensions }) => [MetricName, Dimensions])).toEqual([
      ['Errors', undefined],
    ]);
    const tables = listMetrics(alarm('tables-throttled')).map(({ Dimensions = [] }) =>
      Dimensions.map(({ Value }) => Value)
        .toSorted()
        .reverse()
        .join('/'),
    );
    // A throttled index is counted only under its own name.
    expect(new Set(tables)).toEqual(
      new Set([
        ...['otl-eu-people', 'otl-eu-people/by-parent', 'otl-eu-people/by-beginning'],
        'otl-eu-flows',
      ]),
    );
  });

  test('the sandbox environment has no alarms and no dashboard', () => {
    const sandbox = new Cloud(synthesized('sandbox').templates);
    for (const type of ['Alarm', 'Dashboard'])
      expect(sandbox.resources(`AWS::CloudWatch::${type}`)).toEqual([]);
  });

  test.each(environmentsInRun.filter((name) => name !== 'sandbox'))(
    'every dead-letter queue of the environment %s has an alarm',
    (name) => {
      const found = new Cloud(synthesized(name).templates);
      const rings = found
        .resources('AWS::CloudWatch::Alarm')
        .filter(({ properties }) => properties.AlarmName === `otl-${name}-dead-letters`)
        .flatMap(({ properties }) => listMetrics(properties as Properties))
        .map(({ Dimensions }) => String(Dimensions?.[0]?.Value).replace('.QueueName', ''));
      const targets = Object.keys(found.templates)
        .flatMap((stack) => deadLetterTargets(found.resolve(stack, found.templates[stack]?.Resources)))
        .map((arn) => String(arn).replace('AWS::SQS::Queue:', ''));
      expect(rings.toSorted()).toEqual([...new Set(targets)].toSorted());
      // Messages of other queues go to this queue if they cannot be handled.
      const others = found.resources('AWS::SQS::Queue').filter(({ id }) => !targets.includes(id));
      expect(others.map(({ properties }) => properties.RedrivePolicy)).toEqual(
        others.map(() => ({ deadLetterTargetArn: expect.anything(), maxReceiveCount: expect.any(Number) })),
      );
      expect(others.length).toBeGreaterThan(0);
    },
  );

  test('alarms about error rates are not triggered if there is almost no traffic', () => {
    expect(joinExpressions(alarm('error-rate'))).toContain('requests > 20');
    for (const channel of ['sms', 'email'])
      expect(joinExpressions(alarm(`${channel}-not-verified`))).toContain('FILL(sends, 0) > 50');
  });
});

describe('SNS topic of the alarms', () => {
  test('the alarm topic accepts only messages from CloudWatch and EventBridge over TLS', () => {
    const [policy] = cloud.resources('AWS::SNS::TopicPolicy').map(({ properties }) => properties);
    const document = policy?.PolicyDocument as
      | { readonly Statement: readonly Record<string, unknown>[] }
      | undefined;
    const Statement = document?.Statement ?? [];
    const services = Statement.flatMap(({ Effect, Principal }) =>
      Effect === 'Allow' ? (Principal as { readonly Service: string }).Service : [],
    );
    expect(services.toSorted()).toEqual(['cloudwatch.amazonaws.com', 'events.amazonaws.com']);
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  test('the alarm topic sends emails to the address that an operator has configured', () => {
    expect(cloud.resources('AWS::SNS::Subscription')).toEqual([]);
    const named = new Cloud(
      synthesized('eu with a zone, and copies in another region under a compliance lock').templates,
    ).resources('AWS::SNS::Subscription');
    expect(named.map(({ properties }) => [properties.Protocol, properties.Endpoint])).toEqual([
      ['email', 'ops@example.com'],
    ]);
  });

  test.each(['eu', 'eu with keys that KMS has sealed'] as const)(
    'calls that change the policy of a KMS key are reported in the variant %s of an environment',
    (name) => {
      const found = new Cloud(synthesized(name).templates);
      const [rule] = found
        .resources('AWS::Events::Rule')
        .filter(({ stack }) => stack === 'otl-eu-operations');
      const pattern = rule?.properties.EventPattern as
        | {
            readonly detail: { readonly eventName: string[]; readonly resources: { readonly ARN: string[] } };
          }
        | undefined;
      const detail = pattern?.detail;
      expect(detail?.eventName).toContain('PutKeyPolicy');
      const keys = found.resources('AWS::KMS::Key').map(({ id }) => `AWS::KMS::Key:${id}`);
      expect(detail?.resources.ARN.toSorted()).toEqual(keys.toSorted());
      const message = JSON.stringify(rule?.properties.Targets);
      for (const path of ['$.detail.eventName', '$.detail.resources[0].ARN', '$.detail.userIdentity.arn'])
        expect(message).toContain(`"${path}"`);
      expect(message).toMatch(/ First: .*enable-key.* Then: lib\/INCIDENTS\.md#a-kms-key-is-unusable/);
    },
  );
});

test('the dashboard shows each metric of the service', () => {
  const [dashboard] = cloud.resources('AWS::CloudWatch::Dashboard');
  for (const { name } of Object.values(metrics))
    expect(String(dashboard?.properties.DashboardBody)).toContain(`"${name}"`);
});

test('every Lambda function sends X-Ray traces', () => {
  for (const { properties, statements } of cloud.functions()) {
    expect(properties.TracingConfig).toEqual({ Mode: 'Active' });
    expect(statements).toContainEqual(expect.objectContaining({ Sid: 'Traces' }));
  }
});
