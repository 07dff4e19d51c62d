import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { EdgeRecords } from './edge-records.ts';
import { FirstSigningKey } from './first-signing-key.ts';

/** Every path is served at the root and under `/cis`: one API, two stages. */
const STAGES = ['$default', 'cis'] as const;

/**
 * The fields of the access log. The route, not the path: paths hold email addresses and phone numbers, query strings hold
 * link codes.
 */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  stage: '$context.stage',
  routeKey: '$context.routeKey',
  protocol: '$context.protocol',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integration.integrationStatus',
  integrationLatency: '$context.integration.latency',
  integrationError: '$context.integration.error',
} as const;

export interface ApiStackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly firstSigningKey: Bundle;
  readonly edgeRecords: Bundle;
}

/** The HTTP API without routes (each function adds its own), the first signing key and the edge secret. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly edge: EdgeRecords;

  constructor(scope: Construct, { environment, data, firstSigningKey, edgeRecords }: ApiStackProps) {
    const prefix = prefixOf(environment);
    super(scope, `${prefix}-api`, {
      ...stackPropsOf(environment, 'the HTTP API'),
      terminationProtection: environment.deletionProtection,
    });
    this.api = new HttpApi(this, 'Api', { apiName: prefix, createDefaultStage: false });
    const logs = new LogGroup(this, 'AccessLogs', {
      // Under this name the service may write without an entry in the account's short resource policy.
      logGroupName: `/aws/vendedlogs/${prefix}-api`,
      retention: environment.logRetention,
      // A retained group of a fixed name would block the next deployment. It names no user.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    for (const stageName of STAGES)
      new HttpStage(this, `Stage-${stageName.replace('$', '')}`, {
        httpApi: this.api,
        stageName,
        autoDeploy: true,
        accessLogSettings: {
          destination: new LogGroupLogDestination(logs),
          format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
        },
      });
    new FirstSigningKey(this, 'FirstSigningKey', {
      environment,
      data,
      bundle: firstSigningKey,
    });
    this.edge = new EdgeRecords(this, 'Edge', { environment, bundle: edgeRecords });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason:
        'The secret of the edge changes with a deployment, functions first: a rotation by itself would lock the edge out.',
    });
  }
}
