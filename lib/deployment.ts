import type { App } from 'aws-cdk-lib';
import { ApiStack } from './api-stack.ts';
import { type Bundles, FIRST_SIGNING_KEY, MAIL_EVENTS, type OperationTable } from './bundle.ts';
import { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { FunctionsStack, folderOf } from './functions-stack.ts';
import { MailEventsStack } from './mail-events/stack.ts';

export interface Deployment {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly mailEvents: MailEventsStack;
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
  const bundleOf = (entry: string) => {
    const bundle = bundles[entry];
    if (!bundle) throw new Error(`There is no bundle of ${entry}.`);
    return bundle;
  };
  const data = new DataStack(app, environment);
  const api = new ApiStack(app, environment, data, bundleOf(FIRST_SIGNING_KEY));
  const mailEvents = new MailEventsStack(app, { environment, data, bundle: bundleOf(MAIL_EVENTS) });
  const folders = [...new Set(Object.values(table).map(folderOf))];
  const functions = new Map(
    folders.map((folder) => [
      folder,
      new FunctionsStack(app, { environment, folder, table, bundles, api: api.api, data }),
    ]),
  );
  return { data, api, mailEvents, functions };
}
