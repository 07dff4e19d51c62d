/** Namespace of the service's metrics. Metrics that AWS provides are not repeated in it. */
export const METRIC_NAMESPACE = 'OneTimeLogin';

/** Dimension of every metric. Its value is the functions' environment variable `ENVIRONMENT`. */
export const ENVIRONMENT_DIMENSION = 'Environment';

/** Second dimension of some metrics: `email`, `sms`, `direct` or `link`. AWS bills each value as a metric. */
export const CHANNEL_DIMENSION = 'Channel';

interface ServiceMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'Percent';
  /** True if the metric is also recorded by environment and channel. */
  readonly byChannel: boolean;
}

const count = (name: string, byChannel = false): ServiceMetric => ({ name, unit: 'Count', byChannel });

/** Metrics in the log line of a request (EMF). Alarms and the dashboard read them. */
export const metrics = {
  /** Number of all requests to `serve`. */
  requests: count('Requests'),
  /** Number of answers with status 500 and above, including pages that hide such a failure. */
  serverErrors: count('ServerErrors'),
  /** Number of answers with status 429. */
  rateLimited: count('RateLimited'),
  /** Number of attempts at a locked code (`auth_locked`). */
  lockouts: count('Lockouts'),
  /** Number of codes and links that were accepted by a provider, or returned to the caller (`direct`). */
  sends: count('Sends', true),
  /** Number of codes and links that were correct and are now used up. */
  verifications: count('Verifications', true),
  /** Number of message parts of sent SMS that the network bills. */
  smsParts: count('SmsParts'),
  /** Number of SMS that a limit against SMS pumping refused, or would have refused in a dry run. */
  smsRefusals: count('SmsRefusals'),
  /** Percentage of its SMS budget that the tenant of a message has used. */
  smsBudgetUsed: { name: 'SmsBudgetUsed', unit: 'Percent', byChannel: false },
  /** Number of refusals by SES or SNS (`external_provider_configuration_error`). */
  deliveryRefusals: count('DeliveryRefusals', true),
  /** Number of requests without the edge's secret. They show that an attacker knows the address behind the edge. */
  edgeBypasses: count('EdgeBypasses'),
  /** Milliseconds from `receive` to the answer. */
  duration: { name: 'Duration', unit: 'Milliseconds', byChannel: false },
} as const satisfies Readonly<Record<string, ServiceMetric>>;
