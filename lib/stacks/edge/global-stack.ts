import { Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { zoneOf } from '../environments/zone.ts';

/** CloudFront reads certificates, web ACLs and log settings here alone. Nothing of it is about a user. */
export const GLOBAL_REGION = 'us-east-1';

/** The limit of requests without a token, from one address in five minutes. */
const ANONYMOUS_GETS = 3000;

const seen = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // A sample would show whole requests, with codes and cookies, to every reader of the ACL.
  sampledRequestsEnabled: false,
});

const managed = (name: string, priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
  visibilityConfig: seen(name),
});

/** Limits anonymous GETs. Backends send a token or POST their secret, often many from one address. */
const flood: CfnWebACL.RuleProperty = {
  name: 'AnonymousFlood',
  priority: 2,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit: ANONYMOUS_GETS,
      scopeDownStatement: {
        andStatement: {
          statements: [
            {
              byteMatchStatement: {
                fieldToMatch: { method: {} },
                positionalConstraint: 'EXACTLY',
                searchString: 'GET',
                textTransformations: [{ priority: 0, type: 'NONE' }],
              },
            },
            {
              notStatement: {
                statement: {
                  sizeConstraintStatement: {
                    fieldToMatch: { singleHeader: { Name: 'authorization' } },
                    comparisonOperator: 'GT',
                    size: 0,
                    textTransformations: [{ priority: 0, type: 'NONE' }],
                  },
                },
              },
            },
          ],
        },
      },
    },
  },
  visibilityConfig: seen('AnonymousFlood'),
};

/**
 * What CloudFront needs in us-east-1. `Fn::GetStackOutput` brings its values to the region of the environment during the
 * deployment, without a parameter, a copy or a function in between.
 */
export class GlobalStack extends Stack {
  readonly certificate: Certificate;
  /** Absent where the environment wants none. */
  readonly webAclArn: string | undefined;

  constructor(scope: Construct, environment: Environment) {
    const prefix = prefixOf(environment);
    const props = stackPropsOf(environment, 'what CloudFront reads in us-east-1');
    super(scope, `${prefix}-global`, { ...props, env: { ...props.env, region: GLOBAL_REGION } });
    this.certificate = new Certificate(this, 'Certificate', {
      domainName: environment.domain,
      // Without a zone the deployment waits for the records that ACM shows.
      validation: CertificateValidation.fromDns(zoneOf(this, environment)),
    });
    if (!environment.webAcl) return;
    this.webAclArn = new CfnWebACL(this, 'WebAcl', {
      name: prefix,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: [
        managed('AWSManagedRulesAmazonIpReputationList', 0),
        managed('AWSManagedRulesKnownBadInputsRuleSet', 1),
        flood,
      ],
      visibilityConfig: seen(prefix),
    }).attrArn;
  }
}
