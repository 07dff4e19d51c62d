import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { FunctionUrl, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { effectiveUses, portsIn } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Bundles, OperationTable } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge, wideResource } from '../environments/acknowledge.ts';
import { type Environment, prefixOf, providerSecretsOf, stackPropsOf } from '../environments/environment.ts';
import type { ApiStack } from './api-stack.ts';
import { Canary, isCanary } from './canary.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { hasFunctionUrl } from './routes.ts';
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

export const areaOfEvent = (row: Operation): string => row.event.split('/', 1)[0] ?? row.event;

/** The functions of one area, made from the table. The stack holds no data. */
export class FunctionsStack extends Stack {
  /** The hosts of function URLs by event, for the edge. */
  readonly hosts: ReadonlyMap<string, string>;

  constructor(scope: Construct, props: FunctionsStackProps) {
    const { environment, area, table } = props;
    super(scope, `${prefixOf(environment)}-api-${area}`, stackPropsOf(environment, `operations of ${area}`));
    const hosts = new Map<string, string>();
    const rows = Object.entries(table).filter(([, row]) => areaOfEvent(row) === area);
    const canary = rows.some(([, row]) => isCanary(environment, row))
      ? new Canary(this, 'Canary', props.rollbackAlarms)
      : undefined;
    const hashes = props.api.edge.hashesFor(this);
    for (const [name, row] of rows) {
      const id = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      const service = this.addFunction(id, row, props, hashes);
      const live = isCanary(environment, row) ? canary?.add(service, service.function) : undefined;
      const target = (live ?? service.function) as IFunction;
      if (hasFunctionUrl(table, row)) hosts.set(row.event, this.addUrl(id, service, target));
    }
    this.hosts = hosts;
    const secrets = `secret:${providerSecretsOf(environment)}/*`;
    acknowledge(this, {
      [wideResource(this, 'kms', 'key/*')]: WIDE_RESOURCES.Signer,
      [wideResource(this, 'ses', 'identity/*')]: WIDE_RESOURCES.Mailer,
      [wideResource(this, 'secretsmanager', secrets)]: WIDE_RESOURCES.ProviderSecrets,
    });
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
    const service = new ServiceFunction(this, id, {
      environment,
      name: row.event,
      description: row.summary,
      bundle,
      uses,
      data,
      variables: variablesOf(portsIn(uses), environment, edgeSecretHashes),
    });
    forwardEvents(service, service.logGroup, environment);
    return service;
  }

  /** A function URL. Its host goes out of the stack: CloudFormation splits no value that comes from another one. */
  private addUrl(id: string, service: ServiceFunction, target: IFunction): string {
    // No CORS here: functions answer preflights themselves.
    const { url } = new FunctionUrl(service, 'Url', {
      function: target,
      authType: FunctionUrlAuthType.NONE,
    });
    const output = `${id}Host`;
    new CfnOutput(this, output, { value: Fn.select(2, Fn.split('/', url)) });
    return Fn.getStackOutput(this.stackName, output);
  }
}
