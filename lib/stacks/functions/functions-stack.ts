import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { FunctionUrl, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { effectiveUses, listPorts } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Bundles, OperationTable } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge, toWildcardFindingId } from '../environments/acknowledge.ts';
import { type Environment, toSecretsPrefix, toStackArguments } from '../environments/environment.ts';
import type { ApiStack } from './api-stack.ts';
import { addLiveAlias, Canary } from './canary.ts';
import { WIDE_RESOURCES } from './grants.ts';
import { hasFunctionUrl } from './routes.ts';
import { ServiceFunction } from './service-function.ts';
import { forwardEvents } from './subscription.ts';
import { buildVariables, version } from './variables.ts';

export interface FunctionsStackProps {
  readonly environment: Environment;
  /** Area of the operations in this stack, which is the first part of their `event`. */
  readonly area: string;
  readonly table: OperationTable;
  readonly bundles: Bundles;
  readonly api: ApiStack;
  readonly data: DataStack;
  /** Names of the alarms that roll back new code. */
  readonly rollbackAlarms: readonly string[];
}

export const readArea = (row: Operation): string => row.event.split('/', 1)[0] ?? row.event;

/** Stack with the functions of one area, built from the operation table. The stack contains no data. */
export class FunctionsStack extends Stack {
  /** Host names of the function URLs for CloudFront, keyed by the `event` of the operation. */
  readonly hosts: ReadonlyMap<string, string>;

  constructor(scope: Construct, props: FunctionsStackProps) {
    const { environment, area, table } = props;
    super(scope, ...toStackArguments(environment, `api-${area}`, `operations of ${area}`));
    const hosts = new Map<string, string>();
    const rows = Object.entries(table).filter(([, row]) => readArea(row) === area);
    const canary =
      environment.canary && rows.some(([, row]) => row.canary)
        ? new Canary(this, 'Canary', environment, props.rollbackAlarms)
        : undefined;
    const hashes = props.api.edge.hashesFor(this);
    for (const [name, row] of rows) {
      const id = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      const service = this.addFunction(id, row, props, hashes);
      const live = row.canary ? addLiveAlias(service, service.function, environment) : undefined;
      if (live) canary?.add(service, live);
      const target = (live ?? service.function) as IFunction;
      if (environment.functionUrls !== 'off' && hasFunctionUrl(table, row))
        hosts.set(row.event, this.addUrl(id, service, target));
    }
    this.hosts = hosts;
    const secrets = `secret:${toSecretsPrefix(environment)}/*`;
    acknowledge(this, {
      [toWildcardFindingId(this, 'kms', 'key/*')]: WIDE_RESOURCES.Signer,
      [toWildcardFindingId(this, 'ses', 'identity/*')]: WIDE_RESOURCES.Mailer,
      [toWildcardFindingId(this, 'secretsmanager', secrets)]: WIDE_RESOURCES.ProviderSecrets,
    });
  }

  private addFunction(
    id: string,
    row: Operation,
    { environment, bundles, data }: FunctionsStackProps,
    edgeSecretHashes: readonly string[],
  ): ServiceFunction {
    const bundle = bundles[row.event];
    if (!bundle) throw new Error(`There is no bundle for ${row.event}.`);
    const uses = effectiveUses(row);
    const service = new ServiceFunction(this, id, {
      environment,
      name: row.event,
      description: row.summary,
      bundle,
      uses,
      data,
      variables: {
        ...buildVariables(listPorts(uses), environment, edgeSecretHashes),
        // Other functions lack the version, so that an upgrade replaces only functions whose code has changed.
        ...(row.event === 'meta/health' ? { VERSION: version } : {}),
      },
    });
    forwardEvents(service, service.logGroup, environment);
    return service;
  }

  /**
   * Creates a function URL and returns its host. The host is extracted here, because CloudFormation cannot split a value of
   * another stack.
   */
  private addUrl(id: string, service: ServiceFunction, target: IFunction): string {
    // CORS is not configured here, because functions answer preflight requests themselves.
    const { url } = new FunctionUrl(service, 'Url', {
      function: target,
      authType: FunctionUrlAuthType.NONE,
    });
    const output = `${id}Host`;
    new CfnOutput(this, output, { value: Fn.select(2, Fn.split('/', url)) });
    return Fn.getStackOutput(this.stackName, output);
  }
}
