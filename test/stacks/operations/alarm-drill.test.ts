import { runInNewContext } from 'node:vm';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, test } from '@jest/globals';
import { METRIC_NAMESPACE } from '../../../shared/http/metrics.ts';
import { listAnchors, readPage } from '../../pages/support/markdown.ts';
import { Cloud, type Metric, type Query } from '../support/cloud.ts';
import { synthesized } from '../support/synthesized.ts';

// Tests each alarm: AWS publishes the metrics of the alarm, the alarm goes off only in a period with failures, and the
// description links to the runbook. test/journeys/operations/metrics-in-logs.test.ts tests the metrics that functions write.

interface Alarm extends Partial<Metric> {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Metrics?: readonly Query[];
  readonly Threshold?: number;
  readonly ComparisonOperator: 'GreaterThanThreshold' | 'LessThanThreshold' | 'LessThanLowerThreshold';
}

const alarms = new Cloud(synthesized('eu').templates)
  .resources('AWS::CloudWatch::Alarm')
  .map(({ properties }) => properties as unknown as Alarm);
const toShortName = ({ AlarmName }: Alarm) => AlarmName.replace('otl-eu-', '');
const listMetrics = (alarm: Alarm): readonly Metric[] =>
  alarm.Metrics
    ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    : [alarm as unknown as Metric];
const byName = alarms.map((alarm) => [toShortName(alarm), alarm] as const);

describe('texts in the descriptions of alarms', () => {
  const page = listAnchors(readPage('lib/INCIDENTS.md'));

  test.each(byName)(
    'the description of the alarm %s names the first action and an existing section of INCIDENTS.md',
    (name, alarm) => {
      const [, first = '', , anchor = ''] =
        / First: (.{20,}?\.) Then: (lib\/INCIDENTS\.md)#(\S+)$/.exec(alarm.AlarmDescription) ?? [];
      expect(first).not.toBe('');
      expect(page).toContain(anchor);
      const step = readPage('lib/INCIDENTS.md')
        .split(/^(?=## )/m)
        .find((section) => listAnchors(section)[0] === anchor);
      // Each section of the runbook names its alarm, except the section `find-out`, which is for all alarms.
      if (anchor !== 'find-out') expect(step).toContain(`\`otl-eu-${name}\``);
      expect(alarm.AlarmDescription.length).toBeLessThan(1024);
    },
  );

  test('an alarm description links to the runbook if an operator has configured the documentation URL', () => {
    const [alarm] = new Cloud(
      synthesized('eu with a zone, and copies in another region under a compliance lock').templates,
    ).resources('AWS::CloudWatch::Alarm');
    expect(alarm?.properties.AlarmDescription).toMatch(
      / Then: https:\/\/git\.example\.com\/login\/lib\/INCIDENTS\.md#/,
    );
  });
});

describe('AWS metrics that alarms watch', () => {
  const spec = loadAwsServiceSpecSync();
  const known = [...spec.all('metric')].map((metric) => ({
    metric,
    dimensions: [...spec.follow('usesDimensionSet', metric)].map(({ entity }) =>
      entity.dimensions.map(({ name }) => name).toSorted(),
    ),
  }));
  /**
   * Metrics that AWS documents only in its guides ("Usage metrics" of CloudWatch, "AWS WAF metrics and dimensions", "Supported
   * CloudWatch metrics" of ACM), not in the service specification.
   */
  const LOOKED_UP: readonly string[] = [
    'AWS/Usage CallCount Class,Resource,Service,Type',
    'AWS/WAFV2 AllowedRequests Rule,WebACL',
    'AWS/WAFV2 BlockedRequests Rule,WebACL',
    'AWS/CertificateManager DaysToExpiry CertificateArn',
  ];

  test.each(
    byName.filter(([, alarm]) => listMetrics(alarm).some(({ Namespace }) => Namespace.startsWith('AWS/'))),
  )('AWS publishes the metrics of the alarm %s', (_name, alarm) => {
    for (const { Namespace, MetricName, Dimensions = [] } of listMetrics(alarm)) {
      if (Namespace === METRIC_NAMESPACE) continue;
      const names = Dimensions.map(({ Name }) => Name).toSorted();
      if (LOOKED_UP.includes(`${Namespace} ${MetricName} ${names}`)) continue;
      const found = known.filter(
        ({ metric }) => metric.namespace === Namespace && metric.name === MetricName,
      );
      expect([Namespace, MetricName, found.length > 0]).toEqual([Namespace, MetricName, true]);
      // A metric without dimensions is the sum over all resources of the account in a region.
      if (names.length > 0) expect(found.flatMap(({ dimensions }) => dimensions)).toContainEqual(names);
    }
  });
});

/** Values of metrics in one period. A metric without an entry has no data. */
type Sample = Readonly<Record<string, number>>;

/** Evaluates an alarm with a subset of CloudWatch's metric math. */
function evaluateAlarm(alarm: Alarm, sample: Sample): number | undefined {
  const { Metrics } = alarm;
  const of = ({ MetricName, Dimensions = [] }: Metric) => {
    const channel = Dimensions.find(({ Name }) => Name === 'Channel')?.Value;
    return sample[MetricName] ?? (channel === undefined ? undefined : sample[`${MetricName} ${channel}`]);
  };
  if (!Metrics) return of(alarm as unknown as Metric);
  if (alarm.ComparisonOperator === 'LessThanLowerThreshold')
    return Metrics.flatMap(({ MetricStat }) => (MetricStat ? [of(MetricStat.Metric)] : []))[0];
  const inputs = Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [[Id, of(MetricStat.Metric), MetricStat.Period] as const] : [],
  );
  const [expression = ''] = Metrics.flatMap(({ Expression }) => Expression ?? []);
  const period = inputs[0]?.[2];
  const value: unknown = runInNewContext(expression.replaceAll(' AND ', ' && '), {
    ...Object.fromEntries(inputs.map(([id, input]) => [id, input])),
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (input: number | undefined, fill: number) => input ?? fill,
    SUM: (all: readonly (number | undefined)[]) =>
      all.some((each) => each !== undefined)
        ? all.reduce<number>((sum, each) => sum + (each ?? 0), 0)
        : undefined,
    METRICS: () => inputs.map(([, input]) => input),
    PERIOD: () => period,
    SERVICE_QUOTA: () => sample.quota,
  });
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

function rings(alarm: Alarm, sample: Sample): boolean {
  const value = evaluateAlarm(alarm, sample);
  // Missing data do not trigger an alarm (`notBreaching`).
  if (value === undefined) return false;
  // An anomaly alarm has no threshold. CloudWatch computes the lower bound of the band, which is at least 0.
  const { ComparisonOperator, Threshold = sample.lowerBound ?? 0 } = alarm;
  return ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value < Threshold;
}

/** Metric values for each alarm. The alarm must go off in the period `bad` and must not go off in the period `good`. */
const SAMPLES: Readonly<Record<string, readonly [bad: Sample, good: Sample]>> = {
  'error-rate': [
    { Requests: 500, ServerErrors: 6 },
    { Requests: 20, ServerErrors: 20 },
  ],
  'api-failures': [{ '5xx': 6 }, { '5xx': 5 }],
  'function-failures': [{ Errors: 3, ServerErrors: 3 }, { Errors: 5 }],
  'promise-fast-burn': [
    { Authentications: 600, PromiseBreaks: 5 },
    { Authentications: 4, PromiseBreaks: 4 },
  ],
  'promise-slow-burn': [
    { Authentications: 1600, PromiseBreaks: 5 },
    { Authentications: 1700, PromiseBreaks: 5 },
  ],
  'no-requests': [
    { Requests: 0, lowerBound: 40 },
    { Requests: 0, lowerBound: 0 },
  ],
  'edge-failures': [
    { Requests: 21, '5xxErrorRate': 6 },
    { Requests: 20, '5xxErrorRate': 100 },
  ],
  'requests-blocked': [
    { BlockedRequests: 51, AllowedRequests: 5 },
    { BlockedRequests: 51, AllowedRequests: 6 },
  ],
  'certificate-expiring': [{ DaysToExpiry: 29 }, { DaysToExpiry: 30 }],
  'mail-quota': [{ MailQuotaUsed: 81 }, { MailQuotaUsed: 80 }],
  'key-unusable': [{ UnusableKeys: 1 }, { ServerErrors: 1 }],
  slow: [{ Duration: 3100 }, { Duration: 2900 }],
  'functions-throttled': [{ Throttles: 11 }, { Throttles: 10 }],
  'tables-throttled': [{ ReadThrottleEvents: 6, WriteThrottleEvents: 6 }, { WriteThrottleEvents: 2 }],
  'signatures-near-quota': [
    { CallCount: 49_000, quota: 1000 },
    { CallCount: 40_000, quota: 1000 },
  ],
  'macs-near-quota': [
    { CallCount: 500_000, quota: 10_000 },
    { CallCount: 400_000, quota: 10_000 },
  ],
  'sms-budget': [{ SmsBudgetUsed: 71 }, { SmsBudgetUsed: 70 }],
  'sms-spending': [{ SMSMonthToDateSpentUSD: 81 }, { SMSMonthToDateSpentUSD: 80 }],
  lockouts: [{ Lockouts: 51 }, { Lockouts: 50 }],
  'sms-pumping': [{ SmsRefusals: 21 }, { SmsRefusals: 20 }],
  'sms-not-verified': [
    { 'Sends sms': 60, 'Verifications sms': 11 },
    { 'Sends sms': 50, 'Verifications sms': 0 },
  ],
  'email-not-verified': [{ 'Sends email': 60 }, { 'Sends email': 60, 'Verifications email': 13 }],
  'edge-bypassed': [{ EdgeBypasses: 101 }, { EdgeBypasses: 100 }],
  'delivery-refused': [{ DeliveryRefusals: 6 }, { DeliveryRefusals: 5 }],
  bounces: [{ 'Reputation.BounceRate': 0.041 }, { 'Reputation.BounceRate': 0.04 }],
  complaints: [{ 'Reputation.ComplaintRate': 0.0009 }, { 'Reputation.ComplaintRate': 0.0008 }],
  'dead-letters': [{ ApproximateNumberOfMessagesVisible: 1 }, { ApproximateNumberOfMessagesVisible: 0 }],
  'nothing-swept': [
    { ConsumedWriteCapacityUnits: 10_001 },
    { ConsumedWriteCapacityUnits: 10_001, TimeToLiveDeletedItemCount: 1 },
  ],
};

test.each(byName)(
  'the alarm %s goes off if there are failures, but not in normal operation or without traffic',
  (name, alarm) => {
    const [bad = {}, good = {}] = SAMPLES[name] ?? [];
    expect([rings(alarm, bad), rings(alarm, good), rings(alarm, { quota: 1000 })]).toEqual([
      true,
      false,
      false,
    ]);
  },
);
