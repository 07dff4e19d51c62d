import { describe, expect, test } from '@jest/globals';
import { METRIC_NAMESPACE, metrics } from '../../shared/http/metrics.ts';
import { Cloud, type Metric, type Query, toTableArn } from './support/cloud.ts';
import { switchedTemplates, synthesized } from './support/synthesized.ts';
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
  test('an environment has all expected alarms and no others', () => {
    expect(alarms.map((each) => readAlarmName(each).replace('otl-eu-', '')).toSorted()).toEqual(
      [
        ...['error-rate', 'api-failures', 'function-failures', 'key-unusable', 'slow', 'no-requests'],
        ...['promise-fast-burn', 'promise-slow-burn'],
        ...['edge-failures', 'requests-blocked', 'certificate-expiring', 'mail-quota'],
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
      // ACM publishes no metric for an expired certificate, so missing data must not end this alarm.
      const isCertificate = readAlarmName(each) === 'otl-eu-certificate-expiring';
      expect(each.TreatMissingData).toBe(isCertificate ? 'ignore' : 'notBreaching');
      // CloudWatch allows ten metrics per alarm. Periods below one hour may cover one day in total, longer periods a week.
      expect(listMetrics(each).length).toBeLessThanOrEqual(10);
      const period = Number(
        each.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? each.Period,
      );
      expect(period * Number(each.EvaluationPeriods)).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800);
      expect(Number(each.DatapointsToAlarm)).toBeLessThanOrEqual(Number(each.EvaluationPeriods));
    },
  );

  test('alarms use only metrics that Lambda functions of the same environment publish', () => {
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

  test("KMS alarms compare the KMS usage with the account's quota", () => {
    for (const [name, operations] of [
      ['signatures-near-quota', 'CryptographicOperationsRsa'],
      ['macs-near-quota', 'CryptographicOperationsSymmetric'],
    ] as const) {
      expect(joinExpressions(alarm(name))).toContain('SERVICE_QUOTA(');
      expect(listMetrics(alarm(name))).toMatchObject([{ Namespace: 'AWS/Usage', MetricName: 'CallCount' }]);
      expect(listMetrics(alarm(name))[0]?.Dimensions).toContainEqual({ Name: 'Resource', Value: operations });
    }
  });

  test('enabling ES256 in an environment enables ES256 in all functions and adds a quota alarm for ES256 signatures', () => {
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

  test('one alarm reports failures of all functions, and another alarm reports throttling of the login tables', () => {
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
    // CloudWatch counts throttled requests to an index only under the name of the index.
    expect(new Set(tables)).toEqual(
      new Set([
        ...['otl-eu-people', 'otl-eu-people/by-parent', 'otl-eu-people/by-beginning'],
        'otl-eu-flows',
      ]),
    );
  });

  test('the sandbox environment has no alarms and no dashboard by default', () => {
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
      // Every other queue moves messages that cannot be processed to a dead-letter queue.
      const others = found.resources('AWS::SQS::Queue').filter(({ id }) => !targets.includes(id));
      expect(others.map(({ properties }) => properties.RedrivePolicy)).toEqual(
        others.map(() => ({ deadLetterTargetArn: expect.anything(), maxReceiveCount: expect.any(Number) })),
      );
      expect(others.length).toBeGreaterThan(0);
    },
  );

  test('alarms about error rates do not go off if there is almost no traffic', () => {
    expect(joinExpressions(alarm('error-rate'))).toContain('requests > 20');
    for (const channel of ['sms', 'email'])
      expect(joinExpressions(alarm(`${channel}-not-verified`))).toContain('FILL(sends, 0) > 50');
  });
});

describe('SNS topic for alarms', () => {
  test.each([
    ['otl-eu-operations', ['cloudwatch.amazonaws.com', 'events.amazonaws.com']],
    ['otl-eu-global', ['cloudwatch.amazonaws.com']],
  ])('the alarm topic of %s accepts only messages that AWS services send over TLS: %j', (name, expected) => {
    const policy = cloud.resources('AWS::SNS::TopicPolicy').find(({ stack }) => stack === name);
    const document = policy?.properties.PolicyDocument as
      | { readonly Statement: readonly Record<string, unknown>[] }
      | undefined;
    const Statement = document?.Statement ?? [];
    const services = Statement.flatMap(({ Effect, Principal }) =>
      Effect === 'Allow' ? (Principal as { readonly Service: string }).Service : [],
    );
    expect([...new Set(services)].toSorted()).toEqual(expected);
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  test('the alarm topics restrict CloudWatch, but not EventBridge, to the same AWS account', () => {
    for (const { properties } of cloud.resources('AWS::SNS::TopicPolicy')) {
      const { Statement } = properties.PolicyDocument as {
        readonly Statement: readonly {
          readonly Effect: string;
          readonly Principal: { readonly Service?: string };
          readonly Action: string;
          readonly Resource: unknown;
          readonly Condition?: object;
        }[];
      };
      for (const { Principal, Action, Resource, Condition } of Statement.filter(
        (each) => each.Effect === 'Allow',
      )) {
        expect([Action, Resource]).toEqual(['sns:Publish', expect.stringMatching(/^Alarms/)]);
        expect(Condition).toEqual(
          Principal.Service === 'events.amazonaws.com'
            ? undefined
            : { StringEquals: { 'aws:SourceAccount': '111122223333' } },
        );
      }
    }
  });

  test('the alarm topics of both regions send emails to the address configured by an operator', () => {
    expect(cloud.resources('AWS::SNS::Subscription')).toEqual([]);
    const named = new Cloud(
      synthesized('eu with a zone, and copies in another region under a compliance lock').templates,
    ).resources('AWS::SNS::Subscription');
    expect(named.map(({ stack, properties }) => [stack, properties.Protocol, properties.Endpoint])).toEqual([
      ['otl-eu-operations', 'email', 'ops@example.com'],
      ['otl-eu-global', 'email', 'ops@example.com'],
    ]);
  });

  test('alarms about CloudFront notify a topic in us-east-1, because its metrics are recorded there', () => {
    const found = cloud
      .resources('AWS::CloudWatch::Alarm')
      .filter(({ stack }) => eu.stacks[stack]?.region === 'us-east-1');
    const [topic] = cloud.resources('AWS::SNS::Topic').filter(({ stack }) => stack === 'otl-eu-global');
    expect(found.map(({ properties }) => [properties.AlarmName, properties.AlarmActions])).toEqual([
      ['otl-eu-certificate-expiring', [topic?.id]],
      ['otl-eu-requests-blocked', [topic?.id]],
      ['otl-eu-edge-failures', [topic?.id]],
    ]);
    const withoutAcl = new Cloud(switchedTemplates('OTL_WEB_ACL'));
    expect(
      withoutAcl.resources('AWS::CloudWatch::Alarm').map(({ properties }) => properties.AlarmName),
    ).not.toContain('otl-eu-requests-blocked');
  });

  test('operators are notified if a table backup fails or if a backup cannot be copied to another region', () => {
    const rule = cloud.resources('AWS::Events::Rule').find(({ id }) => id.startsWith('BackupsFailed'));
    expect(rule?.properties.EventPattern).toEqual({
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        resourceArn: ['directory', 'people'].map((table) => toTableArn(`otl-eu-${table}`)),
      },
    });
    const message = JSON.stringify(rule?.properties.Targets);
    for (const path of ['$.detail.state', '$.detail.resourceArn']) expect(message).toContain(`"${path}"`);
    expect(message).toMatch(/ First: run otl doctor.* Then: lib\/INCIDENTS\.md#backups-fail/);
  });

  test.each(['eu', 'eu with keys that KMS has sealed'] as const)(
    'a change to the policy of a KMS key is reported in the environment variant %s',
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

test('the scheduled function "watch" runs every five minutes and may read only the SES sending quota', () => {
  const [watch] = cloud.functions().filter(({ name }) => name === 'otl-eu-watch');
  expect(watch?.statements.map(({ Sid, Action }) => [Sid, Action])).toEqual([
    ['OwnLog', expect.anything()],
    ['Traces', expect.anything()],
    ['SendQuota', ['ses:GetSendQuota']],
  ]);
  const rule = cloud.resources('AWS::Events::Rule').find(({ id }) => id.startsWith('WatchRule'));
  expect(rule?.properties.ScheduleExpression).toBe('rate(5 minutes)');
});

test('OTL_SYNTHETIC_LOGIN adds an alarm and lets only the function "watch" read the secret of the synthetic user', () => {
  const before = new Cloud(switchedTemplates('unchanged'));
  const after = new Cloud(switchedTemplates('OTL_SYNTHETIC_LOGIN'));
  const listAlarms = (of: Cloud) =>
    of.resources('AWS::CloudWatch::Alarm').map(({ properties }) => String(properties.AlarmName));
  expect(listAlarms(after).filter((name) => !listAlarms(before).includes(name))).toEqual([
    'otl-eu-synthetic-login',
  ]);
  const [added] = after
    .resources('AWS::CloudWatch::Alarm')
    .filter(({ properties }) => properties.AlarmName === 'otl-eu-synthetic-login');
  expect(added?.properties).toMatchObject({
    ...{ MetricName: 'SyntheticLogins', Threshold: 1, ComparisonOperator: 'LessThanThreshold' },
    ...{ TreatMissingData: 'breaching', DatapointsToAlarm: 3, Period: 300 },
  });
  const readers = after
    .functions()
    .filter(({ statements }) => statements.some(({ Sid }) => Sid === 'SyntheticSecret'));
  expect(readers.map(({ name, variables }) => [name, variables.SYNTHETIC_SECRET])).toEqual([
    ['otl-eu-watch', 'otl-eu/synthetic-login'],
  ]);
  expect(readers[0]?.statements).toContainEqual({
    Sid: 'SyntheticSecret',
    Effect: 'Allow',
    Action: ['secretsmanager:GetSecretValue'],
    Resource: ['arn:aws:secretsmanager:eu-central-1:111122223333:secret:otl-eu/synthetic-login-??????'],
  });
  for (const { variables } of after.functions()) expect(variables).not.toHaveProperty('TEST_IDENTITIES');
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
