import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toNamePrefix, toStackArguments } from '../environments/environment.ts';
import { findZone } from '../environments/zone.ts';
import type { GlobalStack } from './global-stack.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { VIEWER_REQUEST } from './viewer-request.ts';

/** Time in seconds that CloudFront waits for a response, longer than the timeout of the functions. */
const READ_SECONDS = 20;
/** Time in seconds that connections to the origins stay open, so that logins do not wait for a TLS handshake. */
const KEEP_ALIVE_SECONDS = 60;
/** Error statuses that CloudFront would cache for ten seconds by default. */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export interface DistributionStackProps {
  readonly environment: Environment;
  readonly global: GlobalStack;
  readonly secret: Secret;
}

/**
 * Function that returns the CloudFront behavior for an origin host. CloudFront puts `originPath` before each request's path.
 */
export type BehaviorTo = (host: string, originId: string, originPath?: string) => BehaviorOptions;

/** CloudFront distribution for one host name. The distribution caches nothing, and its log contains no user IDs. */
export class DistributionStack extends Stack {
  private readonly props: DistributionStackProps;
  /** Suffix that makes the distribution's resource names unique in the account; empty for the service's own distribution. */
  private readonly part: string;

  constructor(scope: Construct, part: string, props: DistributionStackProps) {
    const { environment } = props;
    const name = [part, 'edge'].filter(Boolean).join('-');
    const content = ['CloudFront', part].filter(Boolean).join(' for the ');
    super(scope, ...toStackArguments(environment, name, content));
    this.props = props;
    this.part = part;
    this.explainFindings();
  }

  /** Returns a function that builds behaviors. CloudFront behaviors inherit no settings, so each behavior gets all of them. */
  protected behaviors(): BehaviorTo {
    const { environment, secret } = this.props;
    // The name contains the region, because it must be unique in the account and resources of a lost region may remain.
    const name = [toNamePrefix(environment), this.part, environment.region].filter(Boolean).join('-');
    const viewerRequest = new EdgeFunction(this, 'ViewerRequest', {
      functionName: `${name}-viewer-request`,
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(VIEWER_REQUEST),
    });
    const responseHeadersPolicy = addSecurityHeaders(this, name);
    return (host, originId, originPath = '') => ({
      origin: new HttpOrigin(host, {
        originId,
        ...(originPath === '' ? {} : { originPath }),
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        readTimeout: Duration.seconds(READ_SECONDS),
        keepaliveTimeout: Duration.seconds(KEEP_ALIVE_SECONDS),
        customHeaders: { [EDGE_HEADERS.secret]: secret.secretValue.unsafeUnwrap() },
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy,
      functionAssociations: [{ function: viewerRequest, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: false,
    });
  }

  /** Creates the distribution of a domain. If the hosted zone is ours, also creates its DNS records. */
  protected addDistribution(
    domain: string,
    behaviors: Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors'>,
  ): Distribution {
    const { environment, global } = this.props;
    const distribution = new Distribution(this, 'Distribution', {
      comment: [toNamePrefix(environment), this.part].filter(Boolean).join(' '),
      domainNames: [domain],
      certificate: global.certificate,
      ...(global.webAclArn === undefined ? {} : { webAclId: global.webAclArn }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      ...behaviors,
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    new CfnOutput(this, 'Host', {
      description: `${domain} must lead here, by an alias or a CNAME record`,
      value: distribution.distributionDomainName,
    });
    const zone = findZone(this, environment);
    if (!zone) return distribution;
    const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
    for (const [id, Record] of [
      ['Ipv4', ARecord],
      ['Ipv6', AaaaRecord],
    ] as const)
      new Record(this, id, { zone, recordName: `${domain}.`, target });
    return distribution;
  }

  /** Acknowledges findings of the AWS Solutions rule pack, with the reason for each. */
  private explainFindings(): void {
    acknowledge(this, {
      CFR1: 'Users log in from everywhere.',
      CFR2: 'The web ACL is a setting of the environment; the sandbox has none.',
      CFR3: 'Access is logged with the newer log delivery, which can leave out query strings, cookies and paths.',
      S1: 'This bucket receives the access logs; CloudTrail records who reads them.',
    });
  }
}
