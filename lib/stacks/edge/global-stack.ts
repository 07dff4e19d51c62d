import { Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { OperationTable } from '../../build/bundle.ts';
import { consoleDomainOf, type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { zoneOf } from '../environments/zone.ts';
import { floodBodies } from './flood-answers.ts';
import { unsampled, webAclRules } from './web-acl-rules.ts';

/** CloudFront reads certificates, web ACLs and log settings here alone. Nothing of it is about a user. */
export const GLOBAL_REGION = 'us-east-1';

/**
 * What CloudFront needs in us-east-1. `Fn::GetStackOutput` brings its values to the region of the environment during the
 * deployment, without a parameter, a copy or a function in between.
 */
export class GlobalStack extends Stack {
  readonly certificate: Certificate;
  /** Absent where the environment wants none. */
  readonly webAclArn: string | undefined;

  constructor(scope: Construct, environment: Environment, table: OperationTable) {
    const prefix = prefixOf(environment);
    const props = stackPropsOf(environment, 'what CloudFront reads in us-east-1');
    super(scope, `${prefix}-global`, { ...props, env: { ...props.env, region: GLOBAL_REGION } });
    this.certificate = new Certificate(this, 'Certificate', {
      domainName: environment.domain,
      subjectAlternativeNames: [consoleDomainOf(environment)],
      // Without a zone the deployment waits for the records that ACM shows.
      validation: CertificateValidation.fromDns(zoneOf(this, environment)),
    });
    if (!environment.webAcl) return;
    this.webAclArn = new CfnWebACL(this, 'WebAcl', {
      name: prefix,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: webAclRules(table),
      customResponseBodies: floodBodies,
      visibilityConfig: unsampled(prefix),
    }).attrArn;
  }
}
