/** Every metric of ours is in it; what AWS measures by itself is not measured again. */
export const METRIC_NAMESPACE = 'OneTimeLogin';

/** The dimension of every metric: its value is the environment variable `ENVIRONMENT` of the functions. */
export const ENVIRONMENT_DIMENSION = 'Environment';

/** A second dimension, where a metric has one: `email`, `sms`, `direct` or `link`. Each value is a metric that is paid for. */
export const CHANNEL_DIMENSION = 'Channel';

interface MetricOfOurs {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'Percent';
  /** Beside the metric by environment there is one by environment and channel. */
  readonly byChannel: boolean;
}

const count = (name: string, byChannel = false): MetricOfOurs => ({ name, unit: 'Count', byChannel });

/** What the log line of a request tells CloudWatch (EMF), and what alarms and the dashboard read. */
export const metrics = {
  /** Requests that came to `serve`, whatever became of them. */
  requests: count('Requests'),
  /** Answers with a status of 500 and more, and pages that must not tell of such a failure. */
  serverErrors: count('ServerErrors'),
  /** Answers 429. */
  rateLimited: count('RateLimited'),
  /** Tries at a code that its lock refused, `auth_locked`. */
  lockouts: count('Lockouts'),
  /** Codes and links that were handed to a provider, or to the caller when `direct`. */
  sends: count('Sends', true),
  /** Codes and links that were right and are used up. */
  verifications: count('Verifications', true),
  /** How many messages the network makes of the SMS that were sent, and bills. */
  smsParts: count('SmsParts'),
  /** SMS that a limit against pumping refused, or would have where limits are only tried. */
  smsRefusals: count('SmsRefusals'),
  /** How much of its budget of SMS the tenant of a message has used. */
  smsBudgetUsed: { name: 'SmsBudgetUsed', unit: 'Percent', byChannel: false },
  /** What SES or SNS refused: `external_provider_configuration_error`. */
  deliveryRefusals: count('DeliveryRefusals', true),
  /** Requests without the secret of the edge: somebody has found the address behind it. */
  edgeBypasses: count('EdgeBypasses'),
  /** From `receive` to the answer. */
  duration: { name: 'Duration', unit: 'Milliseconds', byChannel: false },
} as const satisfies Readonly<Record<string, MetricOfOurs>>;
