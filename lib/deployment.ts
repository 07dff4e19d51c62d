import type { App } from 'aws-cdk-lib';
import { ApiStack } from './api-stack.ts';
import { type Bundles, FIRST_SIGNING_KEY, type OperationTable } from './bundle.ts';
import { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { FunctionsStack, folderOf } from './functions-stack.ts';

export interface Deployment {
  readonly data: DataStack;
  readonly api: ApiStack;
  /** By folder of functions/. */
  readonly functions: ReadonlyMap<string, FunctionsStack>;
}

/**
 * All stacks of one environment: what is kept, the HTTP API, and one stack for each folder of the table. They refer to each
 * other weakly, so that none locks another's outputs.
 */
export function deploy(
  app: App,
  environment: Environment,
  table: OperationTable,
  bundles: Bundles,
): Deployment {
  const firstSigningKey = bundles[FIRST_SIGNING_KEY];
  if (!firstSigningKey) throw new Error(`There is no bundle of ${FIRST_SIGNING_KEY}.`);
  const data = new DataStack(app, environment);
  const api = new ApiStack(app, environment, data, firstSigningKey);
  const folders = [...new Set(Object.values(table).map(folderOf))];
  const functions = new Map(
    folders.map((folder) => [
      folder,
      new FunctionsStack(app, { environment, folder, table, bundles, api: api.api, data }),
    ]),
  );
  return { data, api, functions };
}
