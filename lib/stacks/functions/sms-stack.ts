import { CfnOutput, CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { ServiceFunction } from './service-function.ts';
import { version } from './variables.ts';

const ANSWER_SECONDS = 120;
/** One in an account and region: CloudFormation refuses to make it for a second environment. */
const OWNER_PARAMETER = '/one-time-login/sms-settings';

/**
 * The SMS spending limit, and delivery as transactional. Both are settings of an account and region, so only one environment
 * may have them: a parameter of a fixed name reserves them first. With the version as a property, every upgrade sets them
 * again.
 */
export class SmsSettingsStack extends Stack {
  constructor(scope: Construct, environment: Environment, bundle: Bundle) {
    super(scope, `${prefixOf(environment)}-sms`, stackPropsOf(environment, 'what SMS may cost'));
    const owner = new StringParameter(this, 'Owner', {
      parameterName: OWNER_PARAMETER,
      description: 'The environment that sets the SMS spending limit of this account and region',
      stringValue: environment.name,
    });
    const service = new ServiceFunction(this, 'Set', {
      environment,
      name: 'sms-settings',
      description: 'Sets what SMS may cost in a month',
      dir: bundle.dir,
      ports: [],
      grants: [
        new PolicyStatement({
          sid: 'SmsSettings',
          actions: ['sns:GetSMSAttributes', 'sns:SetSMSAttributes'],
          resources: ['*'],
        }),
      ],
      variables: {},
    });
    const settings = new CustomResource(this, 'Settings', {
      serviceToken: service.function.functionArn,
      resourceType: 'Custom::SmsSettings',
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties: { MonthlySpendLimit: String(environment.sms.monthlySpendLimitUsd), Version: version },
    });
    settings.node.addDependency(owner);
    new CfnOutput(this, 'SpendLimit', { value: settings.getAttString('Told') });
  }
}
