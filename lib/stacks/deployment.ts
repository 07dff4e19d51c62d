import type { App, Stack } from 'aws-cdk-lib';
import type { BackgroundName } from '../../functions/background.ts';
import { consoleOperations } from '../../functions/operations.ts';
import type { Bundles, OperationTable } from '../build/bundle.ts';
import { BackupStack } from './data/backup-stack.ts';
import { DataStack } from './data/data-stack.ts';
import { ConsoleEdgeStack } from './edge/console-edge-stack.ts';
import { EdgeLogStack } from './edge/edge-log-stack.ts';
import { EdgeStack } from './edge/edge-stack.ts';
import { GlobalStack } from './edge/global-stack.ts';
import { MailStack } from './edge/mail-stack.ts';
import { type Environment, tableNameOf } from './environments/environment.ts';
import { ApiStack } from './functions/api-stack.ts';
import { EventsStack } from './functions/events-stack.ts';
import { areaOfEvent, FunctionsStack } from './functions/functions-stack.ts';
import { MailEventsStack } from './functions/mail-events-stack.ts';
import { hasFunctionUrl } from './functions/routes.ts';
import { RoutesStack } from './functions/routes-stack.ts';
import { functionNameOf } from './functions/service-function.ts';
import { SmsSettingsStack } from './functions/sms-stack.ts';
import { OperationsStack } from './operations/operations-stack.ts';

export interface Deployment {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly events: EventsStack;
  readonly mailEvents: MailEventsStack;
  /** By area. */
  readonly functions: ReadonlyMap<string, FunctionsStack>;
  readonly edge: EdgeStack;
  /** All of them. */
  readonly stacks: readonly Stack[];
}

/**
 * All stacks of one environment: the data, one stack for each area of the table, the HTTP API, and the edge with its part
 * in us-east-1. They refer to each other weakly, so none locks another's outputs.
 */
export function deploy(
  app: App,
  environment: Environment,
  table: OperationTable,
  bundles: Bundles,
): Deployment {
  const bundleOf = (entry: BackgroundName) => {
    const bundle = bundles[entry];
    if (!bundle) throw new Error(`There is no bundle of ${entry}.`);
    return bundle;
  };
  const data = new DataStack(app, environment);
  const api = new ApiStack(app, {
    environment,
    data,
    firstSigningKey: bundleOf('first-signing-key'),
    edgeRecords: bundleOf('edge-records'),
  });
  const events = new EventsStack(app, { environment, data, bundleOf });
  const mail = new MailStack(app, environment);
  const sms = new SmsSettingsStack(app, environment, bundleOf('sms-settings'));
  const mailEvents = new MailEventsStack(app, { environment, data, bundleOf });
  // The delivery log is there before it is read.
  mailEvents.addStackDependency(sms);
  const operations = new OperationsStack(app, {
    environment,
    urlFunctions: [table, consoleOperations]
      .flatMap((rows) => Object.values(rows).filter((row) => hasFunctionUrl(rows, row)))
      .map(({ event }) => functionNameOf(environment, event)),
    tables: {
      directory: tableNameOf(environment, 'directory'),
      people: tableNameOf(environment, 'people'),
      flows: tableNameOf(environment, 'flows'),
    },
    deadLetters: [mailEvents.deadLetters, ...events.deadLetters].map((queue) => queue.queueName),
    keyArns: data.keys.map((key) => key.keyArn),
  });
  const { directory, people } = data.tableArns;
  // A vault with copies in it cannot be deleted.
  const backup = environment.production
    ? [new BackupStack(app, environment, [directory, people], data.tableKey.keyArn)]
    : [];
  const { rollbackAlarms } = operations;
  const functionsOf = (area: string, rows: OperationTable) =>
    new FunctionsStack(app, { environment, area, table: rows, bundles, api, data, rollbackAlarms });
  const areas = [...new Set(Object.values(table).map(areaOfEvent))];
  const ofConsole = functionsOf('console', consoleOperations);
  const functions = new Map([
    ...areas.map((area) => [area, functionsOf(area, table)] as const),
    ['console', ofConsole] as const,
  ]);
  for (const stack of functions.values()) {
    // The forwarder reads their logs and must exist first…
    stack.addStackDependency(events);
    // …and deployment groups look at alarms.
    stack.addStackDependency(operations);
  }
  // Tables are named, not referred to, so their stack must be named as well.
  for (const stack of [api, events, mailEvents, ...backup, ...functions.values()])
    stack.addStackDependency(data);
  const global = new GlobalStack(app, environment, table);
  // A domain that cannot change is refused there, before the others name the new one.
  for (const stack of [events, mailEvents, global]) stack.addStackDependency(api);
  const routes = new RoutesStack(app, { environment, table, operations });
  // They name the functions.
  for (const stack of functions.values()) routes.addStackDependency(stack);
  const others = [...functions.values()].filter((stack) => stack !== ofConsole);
  const hosts = new Map(others.flatMap((stack) => [...stack.hosts]));
  const { secret } = api.edge;
  const shared = { environment, global, secret };
  const edge = new EdgeStack(app, { ...shared, table, apiHost: routes.host, hosts });
  const consoleEdge = new ConsoleEdgeStack(app, { ...shared, hosts: ofConsole.hosts });
  // Functions accept a new secret before the edge sends it.
  for (const stack of functions.values()) edge.addStackDependency(stack);
  consoleEdge.addStackDependency(ofConsole);
  const { logBucketArn } = edge;
  const edgeLog =
    logBucketArn === undefined
      ? []
      : [new EdgeLogStack(app, environment, { edge, consoleEdge }, logBucketArn)];
  const stacks = [
    data,
    events,
    ...backup,
    mail,
    sms,
    mailEvents,
    api,
    operations,
    ...functions.values(),
    routes,
    global,
    edge,
    consoleEdge,
    ...edgeLog,
  ];
  return { data, api, events, mailEvents, functions, edge, stacks };
}
