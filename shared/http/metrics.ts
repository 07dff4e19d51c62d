/** The namespace of the service's metrics. What AWS measures is not repeated in it. */
export const METRIC_NAMESPACE = 'OneTimeLogin';

/** The dimension of every metric. Its value is the functions' environment variable `ENVIRONMENT`. */
export const ENVIRONMENT_DIMENSION = 'Environment';

/** A second dimension of some metrics: `email`, `sms`, `direct` or `link`. AWS bills each value as a metric. */
export const CHANNEL_DIMENSION = 'Channel';

interface MetricOfOurs {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'Percent';
  /** Whether there is also a metric by environment and channel. */
  readonly byChannel: boolean;
}

const count = (name: string, byChannel = false): MetricOfOurs => ({ name, unit: 'Count', byChannel });

/** The metrics in the log line of a request (EMF); alarms and the dashboard read them. */
export const metrics = {
  /** All requests to `serve`. */
  requests: count('Requests'),
  /** Answers of status 500 and above, and pages that hide such a failure. */
  serverErrors: count('ServerErrors'),
  /** Answers of status 429. */
  rateLimited: count('RateLimited'),
  /** Attempts at a locked code, `auth_locked`. */
  lockouts: count('Lockouts'),
  /** Codes and links handed to a provider, or to the caller when `direct`. */
  sends: count('Sends', true),
  /** Codes and links that were right, and are used up. */
  verifications: count('Verifications', true),
  /** Messages that the network makes of the sent SMS and bills. */
  smsParts: count('SmsParts'),
  /** SMS that a limit against pumping refused, or would have in a dry run. */
  smsRefusals: count('SmsRefusals'),
  /** The share of its SMS budget that the tenant of a message has used. */
  smsBudgetUsed: { name: 'SmsBudgetUsed', unit: 'Percent', byChannel: false },
  /** Refusals of SES or SNS: `external_provider_configuration_error`. */
  deliveryRefusals: count('DeliveryRefusals', true),
  /** Requests without the secret of the edge: an attacker knows the address behind it. */
  edgeBypasses: count('EdgeBypasses'),
  /** From `receive` to the answer. */
  duration: { name: 'Duration', unit: 'Milliseconds', byChannel: false },
} as const satisfies Readonly<Record<string, MetricOfOurs>>;
