import { BOOTSTRAP_QUALIFIER_CONTEXT, type Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { selectOperations } from '../../functions/areas.ts';
import type { BackgroundName } from '../../functions/background.ts';
import { consoleOperations } from '../../functions/operations.ts';
import type { Bundles, OperationTable } from '../build/bundle-folders.ts';
import { BackupCopyStack, BackupStack } from './data/backup-stack.ts';
import { DataStack } from './data/data-stack.ts';
import { ConsoleEdgeStack } from './edge/console-edge-stack.ts';
import { EdgeLogStack } from './edge/edge-log-stack.ts';
import { EdgeStack } from './edge/edge-stack.ts';
import { GlobalStack } from './edge/global-stack.ts';
import { MailStack } from './edge/mail-stack.ts';
import { type Environment, hasConsole, toTableName } from './environments/environment.ts';
import { ApiStack } from './functions/api-stack.ts';
import { EventsStack } from './functions/events-stack.ts';
import { FunctionsStack, readArea } from './functions/functions-stack.ts';
import { MailEventsStack } from './functions/mail-events-stack.ts';
import { hasFunctionUrl } from './functions/routes.ts';
import { RoutesStack } from './functions/routes-stack.ts';
import { toFunctionName } from './functions/service-function.ts';
import { SmsSettingsStack } from './functions/sms-stack.ts';
import { OperationsStack } from './operations/operations-stack.ts';

export interface Deployment {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly events: EventsStack;
  readonly mailEvents: MailEventsStack;
  /** Stacks with functions, keyed by area. */
  readonly functions: ReadonlyMap<string, FunctionsStack>;
  readonly global: GlobalStack;
  readonly edge: EdgeStack;
  readonly operations: OperationsStack;
  readonly stacks: readonly Stack[];
}

/**
 * Creates all stacks of one environment: data, one stack for each group of operations that the environment includes, HTTP API,
 * CloudFront, and the resources of CloudFront in us-east-1. Stacks use weak references, so that a stack's outputs can change
 * although other stacks use them.
 */
export function deploy(
  scope: Construct,
  environment: Environment,
  all: OperationTable,
  bundles: Bundles,
): Deployment {
  if (environment.qualifier !== undefined)
    scope.node.setContext(BOOTSTRAP_QUALIFIER_CONTEXT, environment.qualifier);
  const { functionUrls = 'on' } = environment;
  const table = selectOperations(all, environment.areas ?? 'all');
  const consoleTable = hasConsole(environment) ? consoleOperations : {};
  const findBundle = (entry: BackgroundName) => {
    const bundle = bundles[entry];
    if (!bundle) throw new Error(`There is no bundle for ${entry}.`);
    return bundle;
  };
  const data = new DataStack(scope, environment);
  const api = new ApiStack(scope, {
    environment,
    data,
    firstSigningKey: findBundle('first-signing-key'),
    edgeRecords: findBundle('edge-records'),
  });
  const events = new EventsStack(scope, { environment, data, findBundle });
  const mail = new MailStack(scope, environment);
  const sms = new SmsSettingsStack(scope, environment, findBundle('sms-settings'));
  const mailEvents = new MailEventsStack(scope, { environment, data, findBundle });
  // The delivery log must exist before the stack for mail events subscribes to it.
  mailEvents.addStackDependency(sms);
  const operations = new OperationsStack(scope, {
    environment,
    urlFunctions: (functionUrls === 'on' ? [table, consoleTable] : [])
      .flatMap((rows) => Object.values(rows).filter((row) => hasFunctionUrl(rows, row)))
      .map(({ event }) => toFunctionName(environment, event)),
    tables: {
      directory: toTableName(environment, 'directory'),
      people: toTableName(environment, 'people'),
      flows: toTableName(environment, 'flows'),
    },
    deadLetters: [mailEvents.deadLetters, ...events.deadLetters].map((queue) => queue.queueName),
    keyArns: data.keys.map((key) => key.keyArn),
  });
  const { directory, people } = data.tableArns;
  // Only production has a vault, because a vault with copies cannot be deleted.
  const backup = environment.production
    ? [new BackupStack(scope, environment, [directory, people], data.tableKey.keyArn)]
    : [];
  const { rollbackAlarms } = operations;
  const createFunctions = (area: string, rows: OperationTable) =>
    new FunctionsStack(scope, { environment, area, table: rows, bundles, api, data, rollbackAlarms });
  const areas = [...new Set(Object.values(table).map(readArea))];
  const ofService = areas.map((area) => [area, createFunctions(area, table)] as const);
  const ofConsole = hasConsole(environment) ? createFunctions('console', consoleTable) : undefined;
  const functions = new Map([...ofService, ...(ofConsole ? [['console', ofConsole] as const] : [])]);
  for (const stack of functions.values()) {
    // The event forwarder reads the logs of these functions, so the forwarder must exist first.
    stack.addStackDependency(events);
    // Deployment groups refer to the alarms of this stack.
    stack.addStackDependency(operations);
  }
  const { copyRegion } = environment;
  const copies = copyRegion === undefined ? [] : [new BackupCopyStack(scope, environment, copyRegion)];
  // The backup plan refers to the vault by name.
  for (const stack of backup) for (const copy of copies) stack.addStackDependency(copy);
  // These stacks refer to the tables by name, so CDK does not know that they depend on the data stack.
  for (const stack of [api, events, mailEvents, ...backup, ...functions.values()])
    stack.addStackDependency(data);
  const global = new GlobalStack(scope, environment, table);
  // The API stack rejects a change of the domain before other stacks use the new domain.
  for (const stack of [events, mailEvents, global]) stack.addStackDependency(api);
  const routes = new RoutesStack(scope, {
    ...{ environment, table, operations },
    consoleTable: functionUrls === 'on' ? {} : consoleTable,
  });
  // Routes refer to the functions by name.
  for (const stack of functions.values()) routes.addStackDependency(stack);
  const hosts = new Map(functionUrls === 'on' ? ofService.flatMap(([, stack]) => [...stack.hosts]) : []);
  const { secret } = api.edge;
  const shared = { environment, global, secret };
  const edge = new EdgeStack(scope, { ...shared, table, apiHost: routes.host, hosts });
  const { consoleHost } = routes;
  const consoleHosts = consoleHost
    ? new Map(Object.values(consoleTable).map(({ event }) => [event, consoleHost]))
    : ofConsole?.hosts;
  const consoleEdge = consoleHosts && new ConsoleEdgeStack(scope, { ...shared, hosts: consoleHosts });
  // Functions must accept a new secret before CloudFront sends the secret.
  for (const stack of functions.values()) edge.addStackDependency(stack);
  if (ofConsole) consoleEdge?.addStackDependency(ofConsole);
  const { logBucketArn } = edge;
  const edgeLog =
    logBucketArn === undefined
      ? []
      : [new EdgeLogStack(scope, environment, { global, edge, consoleEdge }, logBucketArn)];
  const stacks = [
    data,
    events,
    ...backup,
    ...copies,
    mail,
    sms,
    mailEvents,
    api,
    operations,
    ...functions.values(),
    routes,
    global,
    edge,
    ...(consoleEdge ? [consoleEdge] : []),
    ...edgeLog,
  ];
  return { data, api, events, mailEvents, functions, global, edge, operations, stacks };
}
