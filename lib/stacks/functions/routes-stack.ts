import { createHash } from 'node:crypto';
import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnIntegration,
  CfnRoute,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../../../shared/operation.ts';
import type { OperationTable } from '../../build/bundle.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { apiFailures } from '../operations/failures.ts';
import type { OperationsStack } from '../operations/operations-stack.ts';
import { isCanary, LIVE } from './canary.ts';
import { challengeMapping } from './challenge.ts';
import { routeKeysOf } from './routes.ts';
import { functionNameOf } from './service-function.ts';

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

/** Policies that share out the functions: each may have 6,144 characters, and a role ten of them. */
const POLICIES = 4;

/**
 * Which policy names a function. It depends on the name alone: a function that moved between two policies would be in neither
 * for a moment of the deployment.
 */
const policyOf = (name: string): number => (createHash('sha256').update(name).digest()[0] ?? 0) % POLICIES;

export interface RoutesStackProps {
  readonly environment: Environment;
  readonly table: OperationTable;
  readonly operations: OperationsStack;
}

/**
 * The HTTP API with all of its routes, deployed after the functions. Functions are named, not referred to, and everything
 * refers to the API within this stack: CloudFormation plans to replace a route whose API it learns during the deployment alone
 * (aws-cdk#38829), and asks about one reference between stacks a second (aws-cdk#38010).
 */
export class RoutesStack extends Stack {
  readonly api: HttpApi;
  /** Where the edge finds the API. */
  readonly host: string;

  constructor(scope: Construct, { environment, table, operations }: RoutesStackProps) {
    const prefix = prefixOf(environment);
    super(scope, `${prefix}-routes`, stackPropsOf(environment, 'the HTTP API and its routes'));
    this.api = new HttpApi(this, 'Api', { apiName: prefix, createDefaultStage: false });
    this.host = `${this.api.apiId}.execute-api.${environment.region}.amazonaws.com`;
    this.addStages(environment);
    const rows = Object.entries(table);
    const targets = new Map(rows.map(([name, row]) => [name, this.targetOf(environment, row)]));
    const invoker = this.addInvoker(targets);
    for (const [name, row] of rows)
      this.addRoutes(name, routeKeysOf(table, row), targets.get(name) ?? '', invoker);
    operations.addAlarm(this, apiFailures(this.api.apiId));
    acknowledge(this, {
      APIG4:
        'Every function authenticates its caller as its row demands, before it reads the body; the contract tests ask each ' +
        'row without a token. An authorizer would verify the same token once more.',
    });
  }

  private addStages(environment: Environment): void {
    const logs = new LogGroup(this, 'AccessLogs', {
      // Under this name the service may write without an entry in the account's short resource policy.
      logGroupName: `/aws/vendedlogs/${prefixOf(environment)}-api`,
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
  }

  /** The ARN of what answers the requests of a row. */
  private targetOf(environment: Environment, row: Operation): string {
    const name = functionNameOf(environment, row.event);
    return this.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: isCanary(environment, row) ? `${name}:${LIVE}` : name,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  /**
   * The role that API Gateway takes to call functions ("CredentialsArn" of an integration). A permission of each function
   * would name the API, which is made later. The trust has no condition on the source, because API Gateway sends none with
   * this call; another account cannot pass the role on.
   */
  private addInvoker(targets: ReadonlyMap<string, string>): Role {
    const shares = Map.groupBy(targets, ([name]) => policyOf(name));
    return new Role(this, 'Invoker', {
      description: 'API Gateway calls the functions of operations',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [...shares]
        .toSorted(([one], [other]) => one - other)
        .map(([share, named]) => {
          const statement = new PolicyStatement({
            sid: 'Functions',
            actions: ['lambda:InvokeFunction'],
            resources: named.map(([, arn]) => arn),
          });
          return new ManagedPolicy(this, `Invokes${share + 1}`, { statements: [statement] });
        }),
    });
  }

  /** One integration and the routes of a row; both stages of the API have every route. */
  private addRoutes(name: string, routeKeys: readonly string[], target: string, invoker: Role): void {
    const { apiId } = this.api;
    const integration = new CfnIntegration(this, `Integration-${name}`, {
      apiId,
      credentialsArn: invoker.roleArn,
      integrationType: 'AWS_PROXY',
      integrationUri: target,
      payloadFormatVersion: '2.0',
      responseParameters: challengeMapping,
    });
    for (const routeKey of routeKeys)
      new CfnRoute(this, `Route ${routeKey.replaceAll('/', '|')}`, {
        apiId,
        routeKey,
        target: `integrations/${integration.ref}`,
      });
  }
}
