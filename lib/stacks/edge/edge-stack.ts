import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  type ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';
import { pathsOf } from '../../../shared/http/path.ts';
import type { OperationTable } from '../../build/bundle.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { zoneOf } from '../environments/zone.ts';
import { edgePatternOf } from '../functions/routes.ts';
import type { GlobalStack } from './global-stack.ts';
import { addEdgeLogBucket } from './log-bucket.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { VIEWER_REQUEST } from './viewer-request.ts';

/** Longer than a function may take. */
const READ_SECONDS = 20;
/** Keeps connections to the origins, so logins do not wait for TLS. */
const KEEP_ALIVE_SECONDS = 60;
/** Every status that CloudFront caches for ten seconds by default. */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

export interface EdgeStackProps {
  readonly environment: Environment;
  readonly table: OperationTable;
  readonly global: GlobalStack;
  /** The host of the HTTP API. */
  readonly apiHost: string;
  /** The hosts of function URLs, by entry. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly secret: Secret;
}

/** One host for the API and for browsers. It caches nothing, and its log names no user. */
export class EdgeStack extends Stack {
  readonly distribution: Distribution;
  /** Absent where everything goes with its stack: a bucket with objects does not. */
  readonly logBucketArn: string | undefined;

  constructor(scope: Construct, props: EdgeStackProps) {
    const { environment, global, apiHost, hosts, table } = props;
    super(scope, `${prefixOf(environment)}-edge`, stackPropsOf(environment, 'CloudFront'));
    const behaviorTo = this.behaviors(props.secret, environment);
    const behaviors = new Map([...hosts].map(([entry, host]) => [entry, behaviorTo(host, entry)]));
    const paths = Object.values(table).flatMap((row) => {
      const behavior = behaviors.get(row.event);
      return behavior ? pathsOf(row).map((path) => [edgePatternOf(path), behavior] as const) : [];
    });
    // CloudFront takes the first match: literal paths go before parameters.
    paths.sort(([one], [other]) => lettersIn(other) - lettersIn(one));
    this.distribution = new Distribution(this, 'Distribution', {
      comment: prefixOf(environment),
      domainNames: [environment.domain],
      certificate: global.certificate,
      ...(global.webAclArn === undefined ? {} : { webAclId: global.webAclArn }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: behaviorTo(apiHost, 'api'),
      additionalBehaviors: Object.fromEntries(paths),
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.logBucketArn = environment.production ? addEdgeLogBucket(this, environment) : undefined;
    this.addNames(environment);
    this.explainFindings();
  }

  /** Behaviors inherit nothing: each gets all settings. */
  private behaviors(secret: Secret, environment: Environment) {
    // One name in an account, whatever the region: those of a lost region stay.
    const name = `${prefixOf(environment)}-${environment.region}`;
    const viewerRequest = new EdgeFunction(this, 'ViewerRequest', {
      functionName: `${name}-viewer-request`,
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(VIEWER_REQUEST),
    });
    const responseHeadersPolicy: ResponseHeadersPolicy = addSecurityHeaders(this, name);
    return (host: string, originId: string): BehaviorOptions => ({
      origin: new HttpOrigin(host, {
        originId,
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

  private addNames(environment: Environment): void {
    new CfnOutput(this, 'Host', {
      description: `${environment.domain} leads here: an alias or a CNAME, where the zone is not ours`,
      value: this.distribution.distributionDomainName,
    });
    const zone = zoneOf(this, environment);
    if (!zone) return;
    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution));
    for (const [id, Record] of [
      ['Ipv4', ARecord],
      ['Ipv6', AaaaRecord],
    ] as const)
      new Record(this, id, { zone, recordName: `${environment.domain}.`, target });
  }

  /** Findings of the AWS Solutions pack, with reasons. */
  private explainFindings(): void {
    const because = (id: string, reason: string) => ({ id: `AwsSolutions::AwsSolutions-${id}`, reason });
    Validations.of(this).acknowledge(
      because('CFR1', 'People log in from wherever they are.'),
      because('CFR2', 'A web ACL is a setting of the environment; the sandbox has none.'),
      because('CFR3', 'It is logged, by the newer way that can leave out query strings, cookies and paths.'),
      because('S1', 'This bucket is where access logs go; CloudTrail records who reads them.'),
    );
  }
}

const lettersIn = (pattern: string): number => pattern.replaceAll('*', '').length;
