import type { AuditContext } from '../operation.ts';
import { CHANNEL_DIMENSION, ENVIRONMENT_DIMENSION, METRIC_NAMESPACE, metrics } from './metrics.ts';

type Metric = keyof typeof metrics;
type Values = Partial<Record<Metric, number | undefined>>;

interface Answered {
  readonly status: number;
  readonly durationMs: number;
  /** True if the operation checks a credential, such as a passcode or a passkey. */
  readonly checksCredential: boolean;
  /** Error key shown on a page or in a redirect; otherwise the result of the response. */
  readonly result: string;
}

/** Maximum duration in milliseconds of an authentication that meets the availability target (test/ASSURANCE.md). */
const PROMISED_MILLISECONDS = 2000;

const oneIf = (happened: boolean): number | undefined => (happened ? 1 : undefined);

function metricValues(
  { sent, verified, smsParts, smsGuard, smsBudgetPercent, unusableKey }: AuditContext,
  { status, durationMs, result, checksCredential }: Answered,
): Values {
  const failed = status >= 500 || result === 'internal_error';
  const authentication = checksCredential && (failed || result === 'ok');
  // A 503 does not break the promise, because the user can use the same code again.
  const isPromised = status === 503 || (!failed && durationMs <= PROMISED_MILLISECONDS);
  return {
    requests: 1,
    duration: durationMs,
    authentications: oneIf(authentication),
    promiseBreaks: oneIf(authentication && !isPromised),
    serverErrors: oneIf(failed),
    unusableKeys: oneIf(unusableKey === true),
    rateLimited: oneIf(status === 429),
    lockouts: oneIf(result === 'auth_locked'),
    edgeBypasses: oneIf(result === 'edge_bypassed'),
    sends: oneIf(sent !== undefined),
    verifications: oneIf(verified !== undefined),
    deliveryRefusals: oneIf(result === 'external_provider_configuration_error'),
    smsParts: sent === undefined ? undefined : smsParts,
    smsRefusals: oneIf(smsGuard !== undefined),
    smsBudgetUsed: smsBudgetPercent,
  };
}

/**
 * Returns fields that turn a log line into CloudWatch metrics ("Embedded metric format specification") without an API call or a
 * library. Only the environment and channel are dimensions, because AWS bills each value of a dimension as a metric. AWS itself
 * counts calls, errors and durations of each function.
 */
export function toMetricFields(recorded: Values, channel?: string): Readonly<Record<string, unknown>> {
  const environment = process.env.ENVIRONMENT;
  if (!environment) return {};
  const values = Object.entries(recorded).flatMap(([key, value]) =>
    value === undefined ? [] : [{ ...metrics[key as Metric], value }],
  );
  const [plain, byChannel] = [false, true].map((wanted) =>
    values.filter((metric) => (metric.byChannel && channel !== undefined) === wanted),
  );
  const directive = (of: typeof values = [], ...dimensions: readonly string[][]) => ({
    Namespace: METRIC_NAMESPACE,
    Dimensions: dimensions,
    Metrics: of.map(({ name, unit }) => ({ Name: name, Unit: unit })),
  });
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        directive(plain, [ENVIRONMENT_DIMENSION]),
        ...(byChannel?.length
          ? [directive(byChannel, [ENVIRONMENT_DIMENSION], [ENVIRONMENT_DIMENSION, CHANNEL_DIMENSION])]
          : []),
      ],
    },
    [ENVIRONMENT_DIMENSION]: environment,
    ...(byChannel?.length ? { [CHANNEL_DIMENSION]: channel } : {}),
    ...Object.fromEntries(values.map(({ name, value }) => [name, value])),
  };
}

/** Returns the metrics of a request as fields of its log line. */
export const metricFields = (context: AuditContext, answered: Answered): Readonly<Record<string, unknown>> =>
  toMetricFields(metricValues(context, answered), context.sent ?? context.verified ?? context.channel);
