import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

const HSTS_DAYS = 365;

/**
 * Adds security headers to all responses, including errors of the gateways and CloudFront. Pages may set their own
 * `X-Frame-Options` and `Referrer-Policy`.
 */
export const addSecurityHeaders = (scope: Construct, name: string): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, 'SecurityHeaders', {
    responseHeadersPolicyName: name,
    securityHeadersBehavior: {
      // HTTP Strict Transport Security, RFC 6797 §6.1.
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(HSTS_DAYS),
        includeSubdomains: true,
        override: true,
      },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: false },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: false },
    },
    removeHeaders: [EDGE_HEADERS.challenge, 'x-amzn-remapped-www-authenticate', 'apigw-requestid'],
  });
