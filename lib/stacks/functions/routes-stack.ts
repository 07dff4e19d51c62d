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
import type { OperationTable } from '../../build/bundle-folders.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toNamePrefix, toStackArguments } from '../environments/environment.ts';
import { apiFailures } from '../operations/failures.ts';
import type { OperationsStack } from '../operations/operations-stack.ts';
import { LIVE } from './canary.ts';
import { challengeMapping } from './challenge.ts';
import { listRouteKeys } from './routes.ts';
import { toFunctionName } from './service-function.ts';

/** Stages of the HTTP API. Every path is served at the root and under `/cis`. */
const STAGES = ['$default', 'cis'] as const;

/**
 * Fields of the API's access log. The log has the route instead of the path and query string, because paths contain email
 * addresses and phone numbers, and query strings contain codes.
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

/** Number of policies among which the functions are divided, because a single policy may have only 6,144 characters. */
const POLICIES = 4;

/**
 * Returns the index of the policy that allows calls to a function. The index depends only on the function's name and never
 * changes. If a function moved to another policy, neither policy would allow its calls for a moment of the deployment.
 */
const choosePolicy = (name: string): number =>
  (createHash('sha256').update(name).digest()[0] ?? 0) % POLICIES;

export interface RoutesStackProps {
  readonly environment: Environment;
  readonly table: OperationTable;
  /** Operations of the console, which get an API of their own. Empty if the console has function URLs. */
  readonly consoleTable: OperationTable;
  readonly operations: OperationsStack;
}

/**
 * Stack with the HTTP API and all of its routes, deployed after the functions. The stack names the functions instead of
 * referring to them, because CloudFormation resolves about one reference between stacks per second (aws-cdk#38010). All routes
 * are in the stack of their API: CloudFormation plans to replace a route whose API ID it learns only while deploying
 * (aws-cdk#38829).
 */
export class RoutesStack extends Stack {
  readonly api: HttpApi;
  /** Host name at which CloudFront reaches the API. */
  readonly host: string;
  /**
   * Host name of the console's own HTTP API, so that the host of users has no path to the console. Absent if there is no such
   * API.
   */
  readonly consoleHost: string | undefined;

  constructor(scope: Construct, { environment, table, consoleTable, operations }: RoutesStackProps) {
    const prefix = toNamePrefix(environment);
    super(scope, ...toStackArguments(environment, 'routes', 'the HTTP API and its routes'));
    const createApi = (id: string, apiName: string) =>
      new HttpApi(this, id, { apiName, createDefaultStage: false });
    const toHost = ({ apiId }: HttpApi) => `${apiId}.execute-api.${environment.region}.amazonaws.com`;
    this.api = createApi('Api', prefix);
    this.host = toHost(this.api);
    const logs = this.addLogGroup(environment);
    for (const stage of STAGES) this.addStage(this.api, `Stage-${stage.replace('$', '')}`, stage, logs);
    const addOperations = (api: HttpApi, rows: OperationTable, part = '') => {
      const all = Object.entries(rows);
      const targets = new Map(all.map(([name, row]) => [name, this.findTarget(environment, row)]));
      const invoker = this.addInvoker(part, targets);
      for (const [name, row] of all)
        this.addRoutes(
          api,
          { name, routeKeys: listRouteKeys(rows, row), target: targets.get(name) ?? '' },
          invoker,
        );
    };
    addOperations(this.api, table);
    if (Object.keys(consoleTable).length > 0) {
      const api = createApi('ConsoleApi', `${prefix}-console`);
      this.addStage(api, 'ConsoleStage', '$default', logs);
      addOperations(api, consoleTable, 'Console');
      this.consoleHost = toHost(api);
    }
    operations.addAlarm(this, apiFailures(this.api.apiId));
    acknowledge(this, {
      APIG4:
        'Every function authenticates its caller as its operation requires, before it reads the body; the contract tests call ' +
        'each operation without a token. An authorizer would verify the same token a second time.',
    });
  }

  private addLogGroup(environment: Environment): LogGroup {
    return new LogGroup(this, 'AccessLogs', {
      // API Gateway may write to log groups with this prefix without an entry in the account's resource policy, whose
      // size is limited.
      logGroupName: `/aws/vendedlogs/${toNamePrefix(environment)}-api`,
      retention: environment.logRetention,
      // A retained log group with a fixed name would block the next deployment. The log identifies no user.
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private addStage(httpApi: HttpApi, id: string, stageName: string, logs: LogGroup): void {
    new HttpStage(this, id, {
      httpApi,
      stageName,
      autoDeploy: true,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    });
  }

  /** Returns the ARN of the function or alias that handles an operation. */
  private findTarget(environment: Environment, row: Operation): string {
    const name = toFunctionName(environment, row.event);
    return this.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: row.canary ? `${name}:${LIVE}` : name,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  /**
   * Creates the role with which API Gateway calls functions ("CredentialsArn" of an integration). A permission on each function
   * would have to name the API, which does not exist yet. The trust policy has no condition on the source, because API Gateway
   * sends no source with this call. The missing condition is safe, because another account cannot pass the role on.
   */
  private addInvoker(part: string, targets: ReadonlyMap<string, string>): Role {
    const shares = Map.groupBy(targets, ([name]) => choosePolicy(name));
    return new Role(this, `${part}Invoker`, {
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
          return new ManagedPolicy(this, `${part}Invokes${share + 1}`, { statements: [statement] });
        }),
    });
  }

  /** Creates one integration and the routes of an operation. All stages of the API serve every route. */
  private addRoutes(
    { apiId }: HttpApi,
    {
      name,
      routeKeys,
      target,
    }: Readonly<Record<'name' | 'target', string>> & { readonly routeKeys: readonly string[] },
    invoker: Role,
  ): void {
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
