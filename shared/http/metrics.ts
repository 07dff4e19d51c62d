/** Namespace of the service's metrics. Metrics that AWS already provides are not recorded again. */
export const METRIC_NAMESPACE = 'OneTimeLogin';

/** Dimension of every metric. Its value is the functions' environment variable `ENVIRONMENT`. */
export const ENVIRONMENT_DIMENSION = 'Environment';

/** Second dimension of some metrics: `email`, `sms`, `direct` or `link`. AWS bills each value as a metric. */
export const CHANNEL_DIMENSION = 'Channel';

interface ServiceMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'Percent';
  /** True if the metric is also recorded for each channel. */
  readonly byChannel: boolean;
}

const count = (name: string, byChannel = false): ServiceMetric => ({ name, unit: 'Count', byChannel });

/** Metrics in the log line of a request or of the function `watch` (EMF). Alarms and the dashboard use them. */
export const metrics = {
  /** Number of all requests to `serve`. The function `watch` adds 0, so that the metric has data even without requests. */
  requests: count('Requests'),
  /** Number of responses with a status of 500 or above, including pages that hide such a failure. */
  serverErrors: count('ServerErrors'),
  /**
   * Number of authentications that succeeded, or that failed because of an error of the service. Rejected ones are excluded.
   */
  authentications: count('Authentications'),
  /**
   * Number of authentications that missed the availability target: they took more than 2 s, or failed with an error other than
   * 503.
   */
  promiseBreaks: count('PromiseBreaks'),
  /** Number of requests that failed because a KMS key is disabled or pending deletion. */
  unusableKeys: count('UnusableKeys'),
  /** Number of responses with status 429. */
  rateLimited: count('RateLimited'),
  /** Number of attempts to enter a locked code (`auth_locked`). */
  lockouts: count('Lockouts'),
  /** Number of codes and links that a provider accepted or that were returned to the caller (`direct`). */
  sends: count('Sends', true),
  /** Number of correct codes and links that were consumed. */
  verifications: count('Verifications', true),
  /** Number of SMS parts that the network bills. */
  smsParts: count('SmsParts'),
  /** Number of SMS that a limit against SMS pumping rejected, or would have rejected in a dry run. */
  smsRefusals: count('SmsRefusals'),
  /** Percentage of a tenant's SMS budget that has been used. */
  smsBudgetUsed: { name: 'SmsBudgetUsed', unit: 'Percent', byChannel: false },
  /** Number of messages that SES or SNS rejected (`external_provider_configuration_error`). */
  deliveryRefusals: count('DeliveryRefusals', true),
  /** Percentage of the account's daily SES quota that was used in the last 24 hours. */
  mailQuotaUsed: { name: 'MailQuotaUsed', unit: 'Percent', byChannel: false },
  /** 1 if the synthetic user could log in, otherwise 0. Recorded by the function `watch`. */
  syntheticLogins: count('SyntheticLogins'),
  /**
   * Number of requests without the CloudFront secret. The caller knows the address of the API or function URL behind
   * CloudFront.
   */
  edgeBypasses: count('EdgeBypasses'),
  /** Milliseconds from the receipt of the event to the response. */
  duration: { name: 'Duration', unit: 'Milliseconds', byChannel: false },
} as const satisfies Readonly<Record<string, ServiceMetric>>;
