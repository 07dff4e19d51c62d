import { CfnOutput, CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle-folders.ts';
import {
  type Environment,
  listDeliveryLogs,
  SMS_OWNER_PARAMETER,
  toStackArguments,
} from '../environments/environment.ts';
import { ServiceFunction } from './service-function.ts';
import { version } from './variables.ts';

const ANSWER_SECONDS = 120;
/**
 * Stack with the SMS settings: the spending limit, transactional delivery and the delivery log. The settings apply to a whole
 * account and region, so only one environment may set them: the stack first reserves them with a parameter of a fixed name. The
 * service version is a property of the custom resources, so that every upgrade sets the settings again.
 */
export class SmsSettingsStack extends Stack {
  constructor(scope: Construct, environment: Environment, bundle: Bundle) {
    const content = 'the SMS spending limit and the delivery log';
    super(scope, ...toStackArguments(environment, 'sms', content));
    const owner = new StringParameter(this, 'Owner', {
      parameterName: SMS_OWNER_PARAMETER,
      description: 'Environment that sets the SMS spending limit of this account and region',
      stringValue: environment.name,
    });
    const deliveryRole = this.addDeliveryLogs();
    const service = new ServiceFunction(this, 'Set', {
      environment,
      name: 'sms-settings',
      description: 'Sets the monthly SMS spending limit and the delivery log',
      bundle,
      grants: [
        new PolicyStatement({
          sid: 'SmsSettings',
          actions: ['sns:GetSMSAttributes', 'sns:SetSMSAttributes'],
          resources: ['*'],
        }),
        ...(environment.sms.pool
          ? [
              new PolicyStatement({
                sid: 'SmsPoolSettings',
                actions: ['sms-voice:SetTextMessageSpendLimitOverride'],
                resources: ['*'],
              }),
            ]
          : []),
        new PolicyStatement({
          sid: 'SmsDeliveryRole',
          actions: ['iam:PassRole'],
          resources: [deliveryRole.roleArn],
          // Calls by SNS may lack this condition key, but only SNS can assume this role.
          conditions: { StringEqualsIfExists: { 'iam:PassedToService': 'sns.amazonaws.com' } },
        }),
      ],
      variables: {},
    });
    const settings = new CustomResource(this, 'Settings', {
      serviceToken: service.function.functionArn,
      resourceType: 'Custom::SmsSettings',
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties: {
        MonthlySpendLimit: String(environment.sms.monthlySpendLimitUsd),
        Version: version,
        ...(environment.sms.pool && { Pool: environment.sms.pool }),
      },
    });
    const deliveryStatus = new CustomResource(this, 'DeliveryStatus', {
      serviceToken: service.function.functionArn,
      resourceType: 'Custom::SmsDeliveryStatus',
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties: { Role: deliveryRole.roleArn, Version: version },
    });
    for (const resource of [settings, deliveryStatus]) resource.node.addDependency(owner);
    new CfnOutput(this, 'SpendLimit', { value: settings.getAttString('Told') });
  }

  /**
   * Creates the delivery logs and returns the role with which SNS writes them. The logs contain phone numbers and are processed
   * immediately, so they are kept for one day.
   */
  private addDeliveryLogs(): Role {
    const groups = listDeliveryLogs(this.region, this.account).map(
      (logGroupName, index) =>
        new LogGroup(this, index === 0 ? 'Deliveries' : 'FailedDeliveries', {
          logGroupName,
          retention: RetentionDays.ONE_DAY,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
    );
    const statement = new PolicyStatement({
      sid: 'DeliveryLogs',
      // Actions that the SNS guide requires, restricted to the log groups of SNS.
      actions: [
        'CreateLogGroup',
        'CreateLogStream',
        'PutLogEvents',
        'PutMetricFilter',
        'PutRetentionPolicy',
      ].map((action) => `logs:${action}`),
      resources: groups.map(({ logGroupArn }) => logGroupArn),
    });
    return new Role(this, 'DeliveryRole', {
      assumedBy: new ServicePrincipal('sns.amazonaws.com'),
      inlinePolicies: { logs: new PolicyDocument({ statements: [statement] }) },
    });
  }
}
