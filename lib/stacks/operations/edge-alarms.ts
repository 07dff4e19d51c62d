import { Duration } from 'aws-cdk-lib';
import type { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type Environment, toNamePrefix } from '../environments/environment.ts';
import type { AlarmRule } from './alarm-rule.ts';
import { createAwsMetric, createMetricExpression } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
/** Remaining days below which the alarm triggers. ACM renews a certificate 45 to 60 days before its end. */
const CERTIFICATE_DAYS = 30;

/** Returns the alarm for a certificate that ACM does not renew. AWS records the metric only in us-east-1. */
export const certificateExpiring = (certificate: Certificate): AlarmRule => ({
  name: 'certificate-expiring',
  reason: `The certificate ends in less than ${CERTIFICATE_DAYS} days, and ACM has not renewed it. When it ends, no user can log in.`,
  firstStep: 'restore the DNS records that validate the certificate. ACM shows them.',
  runbookSection: 'INCIDENTS.md#the-certificate-expires',
  metric: certificate.metricDaysToExpiry(),
  below: CERTIFICATE_DAYS,
  breachingPeriods: 1,
  periods: 1,
  // ACM publishes no metric for a certificate that has expired.
  withoutData: 'keep',
});

/** Returns the alarm for a web ACL that blocks almost all requests. AWS records the metrics only in us-east-1. */
export function requestsBlocked(environment: Environment): AlarmRule {
  const ofWebAcl = (metric: string) =>
    createAwsMetric(
      'AWS/WAFV2',
      metric,
      { WebACL: toNamePrefix(environment), Rule: 'ALL' },
      { period: FIVE_MINUTES },
    );
  return {
    name: 'requests-blocked',
    reason:
      'The web ACL blocks more than 90 % of the requests. Either a flood of requests is going on, or a rule blocks users.',
    firstStep:
      'open the login page yourself. If it is blocked, a rule blocks users; if not, the web ACL is stopping a flood.',
    runbookSection: 'INCIDENTS.md#users-are-blocked',
    metric: createMetricExpression(
      'IF(FILL(blocked, 0) > 50, 100 * blocked / (blocked + FILL(allowed, 0)), 0)',
      { blocked: ofWebAcl('BlockedRequests'), allowed: ofWebAcl('AllowedRequests') },
      FIVE_MINUTES,
    ),
    above: 90,
    breachingPeriods: 2,
    periods: 3,
  };
}

/** Returns the alarm for error responses of CloudFront. AWS records the metrics only in us-east-1. */
export function edgeFailures(DistributionId: string): AlarmRule {
  const ofEdge = (metric: string, statistic: string) =>
    createAwsMetric(
      'AWS/CloudFront',
      metric,
      { DistributionId, Region: 'Global' },
      { statistic, period: FIVE_MINUTES },
    );
  return {
    name: 'edge-failures',
    reason:
      'CloudFront answers more than 5 % of the requests with 5xx. This includes requests that reach neither the HTTP API nor a function.',
    firstStep:
      'if no other alarm rings, look in the CloudFront log at x-edge-detailed-result-type, and at the AWS Health page.',
    runbookSection: 'INCIDENTS.md#logins-fail',
    metric: createMetricExpression(
      'IF(FILL(requests, 0) > 20, FILL(rate, 0), 0)',
      { requests: ofEdge('Requests', 'Sum'), rate: ofEdge('5xxErrorRate', 'Average') },
      FIVE_MINUTES,
    ),
    above: 5,
    breachingPeriods: 2,
    periods: 3,
  };
}
