import { Stack, Token, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FunctionUrl, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { effectiveUses, portsIn } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Bundles, OperationTable } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { type Environment, prefixOf, providerSecretsOf, stackPropsOf } from '../environments/environment.ts';
import type { ApiStack } from './api-stack.ts';
import { Canary } from './canary.ts';
import { challengeMapping } from './challenge.ts';
import { grantsOf, WIDE_RESOURCES } from './grants.ts';
import { hasFunctionUrl, routeKeysOf } from './routes.ts';
import { ServiceFunction } from './service-function.ts';
import { forwardEvents } from './subscription.ts';
import { variablesOf } from './variables.ts';

export interface FunctionsStackProps {
  readonly environment: Environment;
  /** The first part of `event`: this stack has the rows of this area. */
  readonly area: string;
  readonly table: OperationTable;
  readonly bundles: Bundles;
  readonly api: ApiStack;
  readonly data: DataStack;
  /** Names of the alarms that roll new code back. */
  readonly rollbackAlarms: readonly string[];
}

export const areaOf = (row: Operation): string => row.event.split('/', 1)[0] ?? row.event;

/** The functions of one area with their routes, made from the table. The stack holds no data. */
export class FunctionsStack extends Stack {
  /** Function URLs by event, for the edge. */
  readonly urls: ReadonlyMap<string, FunctionUrl>;

  constructor(scope: Construct, props: FunctionsStackProps) {
    const { environment, area, table } = props;
    super(scope, `${prefixOf(environment)}-api-${area}`, stackPropsOf(environment, `operations of ${area}`));
    const urls = new Map<string, FunctionUrl>();
    const rows = Object.entries(table).filter(([, row]) => areaOf(row) === area);
    const isCanary = (row: Operation) => environment.canary && row.canary === true;
    const canary = rows.some(([, row]) => isCanary(row))
      ? new Canary(this, 'Canary', props.rollbackAlarms)
      : undefined;
    const hashes = props.api.edge.hashesFor(this);
    for (const [name, row] of rows) {
      const id = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      const service = this.addFunction(id, row, props, hashes);
      const live = isCanary(row) ? canary?.add(service, service.function) : undefined;
      const target = (live ?? service.function) as IFunction;
      this.addRoutes(service, target, row, props);
      // No CORS here: functions answer preflights themselves.
      if (hasFunctionUrl(table, row))
        urls.set(
          row.event,
          new FunctionUrl(service, 'Url', {
            function: target,
            authType: FunctionUrlAuthType.NONE,
          }),
        );
    }
    this.urls = urls;
    this.explainFindings(environment);
  }

  /** Findings of the AWS Solutions pack, with reasons. */
  private explainFindings(environment: Environment): void {
    const account = Token.isUnresolved(this.account) ? '<AWS::AccountId>' : this.account;
    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason:
          'Every function authenticates its caller as its row demands, before it reads the body; the contract tests ask each ' +
          'row without a token. An authorizer would verify the same token once more.',
      },
      {
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:kms:${this.region}:${account}:key/*]`,
        reason: WIDE_RESOURCES.Signer,
      },
      {
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:aws:secretsmanager:${this.region}:${account}:secret:${providerSecretsOf(environment)}/*]`,
        reason: WIDE_RESOURCES.ProviderSecrets,
      },
    );
  }

  private addFunction(
    id: string,
    row: Operation,
    { environment, bundles, data }: FunctionsStackProps,
    edgeSecretHashes: readonly string[],
  ): ServiceFunction {
    const bundle = bundles[row.event];
    if (!bundle) throw new Error(`There is no bundle of ${row.event}.`);
    const uses = effectiveUses(row);
    const ports = portsIn(uses);
    const service = new ServiceFunction(this, id, {
      environment,
      name: row.event,
      description: row.summary,
      dir: bundle.dir,
      ports,
      grants: grantsOf(uses, environment, data),
      variables: variablesOf(ports, environment, edgeSecretHashes),
    });
    forwardEvents(service, service.logGroup, environment);
    return service;
  }

  /** One integration, one permission, and the routes; both stages of the API have every route. */
  private addRoutes(
    service: ServiceFunction,
    target: IFunction,
    row: Operation,
    { api: { api }, table }: FunctionsStackProps,
  ): void {
    const integration = new CfnIntegration(service, 'Integration', {
      apiId: api.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: target.functionArn,
      payloadFormatVersion: '2.0',
      responseParameters: challengeMapping,
    });
    target.addPermission('Api', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: this.formatArn({ service: 'execute-api', resource: api.apiId, resourceName: '*' }),
    });
    for (const routeKey of routeKeysOf(table, row))
      new CfnRoute(service, `Route ${routeKey.replaceAll('/', '|')}`, {
        apiId: api.apiId,
        routeKey,
        target: `integrations/${integration.ref}`,
      });
  }
}
