import { Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { OperationTable } from '../../build/bundle-folders.ts';
import {
  type Environment,
  toConsoleDomain,
  toNamePrefix,
  toStackArguments,
} from '../environments/environment.ts';
import { findZone } from '../environments/zone.ts';
import { addAlarm, addAlarmTopic } from '../operations/add-alarm.ts';
import { certificateExpiring, requestsBlocked } from '../operations/edge-alarms.ts';
import { floodBodies } from './flood-answers.ts';
import { unsampled, webAclRules } from './web-acl-rules.ts';

/** Region where CloudFront reads certificates, web ACLs and log settings. No user data is stored there. */
export const GLOBAL_REGION = 'us-east-1';

/**
 * Stack in us-east-1 with the resources that CloudFront requires in this region. During the deployment, `Fn::GetStackOutput`
 * passes their values directly to the environment's region, without an SSM parameter or a custom resource.
 */
export class GlobalStack extends Stack {
  readonly certificate: Certificate;
  /** ARN of the web ACL. Absent if the environment has none. */
  readonly webAclArn: string | undefined;
  /** SNS topic that delivers the alarms of this region. */
  readonly topic: Topic;

  constructor(scope: Construct, environment: Environment, table: OperationTable) {
    const prefix = toNamePrefix(environment);
    const content = 'certificate, web ACL and alarms of CloudFront';
    super(scope, ...toStackArguments(environment, 'global', content, { env: { region: GLOBAL_REGION } }));
    this.certificate = new Certificate(this, 'Certificate', {
      domainName: environment.domain,
      subjectAlternativeNames: [toConsoleDomain(environment)],
      // If the environment has no zone, the deployment waits until an operator creates the DNS records that ACM shows.
      validation: CertificateValidation.fromDns(findZone(this, environment)),
    });
    this.topic = addAlarmTopic(this, environment);
    addAlarm(this, environment, this.topic, certificateExpiring(this.certificate));
    if (!environment.webAcl) return;
    addAlarm(this, environment, this.topic, requestsBlocked(environment));
    // CloudFront still uses the web ACL while a deployment that switches it off tries to delete it, so the web ACL may remain.
    // A fixed name would then block the deployment that switches the web ACL on again.
    this.webAclArn = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: webAclRules(table),
      customResponseBodies: floodBodies,
      visibilityConfig: unsampled(prefix),
    }).attrArn;
  }
}
