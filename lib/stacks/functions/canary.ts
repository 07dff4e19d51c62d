import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IVersion, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from '../environments/acknowledge.ts';
import type { Environment } from '../environments/environment.ts';

/** Name of the Lambda alias that receives the requests. */
export const LIVE = 'live';

/**
 * Creates the alias that receives a function's requests. Routes and function URLs name the alias, so every environment has it,
 * with and without gradual releases.
 */
export function addLiveAlias(scope: Construct, lambda: Lambda, { removalPolicy }: Environment): Alias {
  const version = lambda.currentVersion;
  // Production keeps old versions, so that an operator can return to one manually. A version whose release was rolled back must
  // not remain: Lambda publishes no second version of the same code, so this code could never be released again.
  version.applyRemovalPolicy(removalPolicy);
  return new Alias(scope, 'Live', { aliasName: LIVE, version: version as IVersion });
}

/** Gradual release of function versions: a tenth of the requests for five minutes, and a rollback when an alarm fires. */
export class Canary extends Construct {
  private readonly application: LambdaApplication;
  private readonly role: Role;
  private readonly ignoreAlarms: boolean;
  private readonly alarms: readonly string[];

  constructor(scope: Construct, id: string, { ignoreAlarms }: Environment, alarms: readonly string[]) {
    super(scope, id);
    this.ignoreAlarms = ignoreAlarms === true;
    this.alarms = alarms;
    this.application = new LambdaApplication(this, 'Application');
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    acknowledge(this.role, {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'AWS maintains this policy, because it knows what CodeDeploy needs; only CodeDeploy can assume this role.',
    });
  }

  /**
   * Releases new versions behind an alias gradually. If alarms are ignored, releases them to all requests immediately, because
   * no alarm would stop a gradual release.
   */
  add(scope: Construct, alias: Alias): void {
    new LambdaDeploymentGroup(scope, 'Deployment', {
      application: this.application,
      alias,
      role: this.role,
      deploymentConfig: this.ignoreAlarms
        ? LambdaDeploymentConfig.ALL_AT_ONCE
        : LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      ignoreAlarmConfiguration: this.ignoreAlarms,
      alarms: this.alarms.map((name) => Alarm.fromAlarmName(scope, name, name)),
      autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
    });
  }
}
