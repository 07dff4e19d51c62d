import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { consoleOperations, operations as table } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { log } from '../../shared/http/log.ts';
import { withinBudget } from '../../shared/sdk/budget.ts';
import { violationsOf } from './check-answer.ts';
import { createConsole, listenBeside } from './console.ts';
import { localKeys } from './demo.ts';
import { installClock, restoreClock } from './emulators/basis/clock.ts';
import { complaintOf } from './emulators/basis/data-folder.ts';
import { type Admits, ownNames } from './emulators/basis/own-names.ts';
import { repairIndexes } from './emulators/dynamodb/repair-indexes.ts';
import { createTables } from './emulators/dynamodb/tables.ts';
import type { EmulatorEvents } from './emulators/server.ts';
import { type Emulators, startEmulators } from './emulators/start.ts';
import { startEventSources } from './event-sources.ts';
import type { LocalOptions } from './for-tests/start-local.ts';
import { type Addresses, addressesOf, functionEnvironment, setEnvironment } from './function-environment.ts';
import { createGateway, type Gateway, type GatewayOptions, type Handler, HTTP_SERVER } from './gateway.ts';
import { EndError, finish, listen } from './http-server.ts';
import { type BackgroundHandler, forgetFunctions, loadFunction, preload } from './load-function.ts';
import { createLocalPages, type LocalPages } from './local-pages.ts';
import { keepLogLines } from './log/log-lines.ts';
import type { ReadableLog } from './log/readable-log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { redirectToLocalhost } from './navigation.ts';
import { withErrorUri } from './playground/error-uri.ts';
import { hintOf } from './playground/hints.ts';
import { createHistory } from './playground/history.ts';
import { handleProviderEvent } from './provider-events.ts';
import type { DemoProviders } from './providers.ts';
import { createResets } from './reset.ts';
import type { Operations } from './routes.ts';
import { type DemoUris, seed } from './seed.ts';

export interface LocalServerOptions extends LocalOptions {
  readonly host?: string;
  /** Of the operator console; absent: the one after `port`, or a free one. */
  readonly consolePort?: number;
  /** The origin that browsers and clients see, where a proxy stands before this server: `https://login.test:8443`. */
  readonly publicOrigin?: string;
  /** Names that it answers besides those of the loopback and of the public origin. */
  readonly hosts?: readonly string[];
  /** Keeps everything there; absent: in memory. */
  readonly dataDir?: string;
  /** Social providers of the demo application. */
  readonly providers?: DemoProviders;
  /** Further or changed variables of the functions. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Forwards events to the functions that no request calls: timelines, webhooks, notices. On when absent. */
  readonly events?: boolean;
  readonly operations?: Operations;
  /** Loads the handler of an `event`; from source when absent. */
  readonly load?: (entry: string) => Promise<Handler>;
  /** The same for functions that no request calls. */
  readonly loadBackground?: (entry: string) => Promise<BackgroundHandler>;
  /** Starts the emulators for AWS; in a thread of this server when absent. */
  readonly emulators?: typeof startEmulators;
  /** Loads all functions after the start, so no first request waits for its code. */
  readonly preload?: boolean;
  /** Tells people at a terminal of each request. */
  readonly log?: ReadableLog;
  /** Leads from the errors of the service to the API reference, as no deployed function does. On when absent. */
  readonly errorUris?: boolean;
  /** Called when an answer differs from its row. */
  readonly onViolation?: (violation: string) => void;
}

export interface LocalServer {
  readonly port: number;
  readonly url: string;
  readonly browserOrigin: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly consoleOrigin: string;
  readonly demoUris: DemoUris;
  readonly emulators: Emulators;
  readonly metrics: Metrics;
  /** Settles when all events due at this time of the clock are forwarded. */
  settleEvents(): Promise<void>;
  /** Finishes requests in flight, stops everything, and restores `Date` and `process.env`. */
  stop(): Promise<void>;
}

/** The multiplier of time limits that a deployed function has. */
const DEPLOYED_PATIENCE = 1;

/** Where applications run that a developer tries: that of the quickstarts. */
const DEMO_ORIGIN = 'http://localhost:8080';

/** Starts the whole service on one port, in this process, with nothing else running. One at a time per process. */
export async function startLocalServer(options: LocalServerOptions = {}): Promise<LocalServer> {
  const { operations = table, load = loadFunction } = options;
  const metrics = createMetrics();
  const logLines = keepLogLines();
  const history = createHistory();
  // While a fault delays calls, functions have the time limits of a deployment, and answer as users would see.
  let isDelayed = false;
  const around: GatewayOptions['around'] = async (route, request, invocation) => {
    const invoke = isDelayed ? () => withinBudget(DEPLOYED_PATIENCE, invocation) : invocation;
    const answer = await history.record(route, request, async (tell) => {
      const given = await metrics.run(route.name, invoke, tell);
      if (options.errorUris === false) return given;
      // Without a hint where it cannot be made: the answer is good.
      const hint = await hintOf(route, request, given).catch(() => undefined);
      return withErrorUri(route, given, hint);
    });
    // Functions keep configuration for a minute. A developer who changes it sees the effect at once.
    if (load === loadFunction && route.row.event.startsWith('management/') && request.method !== 'GET')
      forgetFunctions();
    options.log?.answered(route, request.method, answer);
    for (const violation of violationsOf(route, request.method, answer))
      (options.onViolation ?? logViolation)(violation);
    return answer;
  };
  const gateway = createGateway({ operations, load, around });
  const ready = Promise.withResolvers<LocalPages>();
  // Early requests wait for it; a failing start reports by itself.
  ready.promise.catch(() => undefined);
  const { publicOrigin, hosts = [] } = options;
  const ownHosts = publicOrigin === undefined ? hosts : [...hosts, new URL(publicOrigin).host];
  const admits = ownNames(ownHosts, isPrivate);
  const server = createServer(HTTP_SERVER, (request, response) => {
    dispatch(request, response, { gateway, publicOrigin, admits, ready: ready.promise }).catch(
      (error: unknown) => fail(response, error),
    );
  });

  const consoleServer = createConsole({
    gateway: createGateway({ operations: consoleOperations, load, around }),
    admits,
    ready: ready.promise,
    fail,
  });
  const undo: Undo[] = [metrics.close, logLines.close, history.close];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= takeBack([server, consoleServer], undo);
    return stopping;
  };
  try {
    const { host = '127.0.0.1' } = options;
    const port = await listen(server, options.port ?? 3000, host);
    const consolePort = await listenBeside(consoleServer, options.consolePort, options.port ?? 3000, host);
    const onDelay = (isDelayedNow: boolean) => {
      isDelayed = isDelayedNow;
    };
    const addresses = addressesOf(port, consolePort, options.publicOrigin);
    const state = await prepare({ ...options, onDelay }, addresses, undo);
    const events = options.events === false ? undefined : startEventSources(state.emulators, options);
    if (events) undo.push(events.stop);
    const settleEvents = async () => events?.settle();
    const resets = createResets({ ...state, metrics, history, settleEvents });
    const url = `http://127.0.0.1:${port}`;
    ready.resolve(createLocalPages({ ...state, ...resets, url, metrics, logLines, history, settleEvents }));
    if (options.preload)
      void preload({ ...operations, ...consoleOperations }, load, () => stopping !== undefined);
    return { ...state, port, url, metrics, settleEvents, stop };
  } catch (error) {
    ready.reject(error);
    await stop();
    throw error;
  }
}

type Undo = () => void | Promise<void>;

/** Ends the requests first, then stops what they used, in reverse order. */
async function takeBack(servers: readonly Server[], undo: readonly Undo[]): Promise<void> {
  await Promise.all(servers.filter(({ listening }) => listening).map(finish));
  for (const step of undo.toReversed()) await step();
}

type Preparing = LocalServerOptions & Pick<EmulatorEvents, 'onDelay'>;

/** Everything behind the port: clock, emulators, environment, tables, demo tenant. */
async function prepare(options: Preparing, addresses: Addresses, undo: Undo[]) {
  installClock();
  undo.push(restoreClock);
  const emulators = await openEmulators(options);
  undo.push(emulators.stop);
  const restoreEnvironment = setEnvironment({
    ...functionEnvironment(addresses, {
      version: packageJson.version,
      rateLimits: options.rateLimits ?? 'on',
    }),
    ...emulators.environment,
    WEBHOOK_QUEUE_URL: `${emulators.endpoint('sqs')}/webhooks`,
    ...options.environment,
  });
  undo.push(restoreEnvironment);
  const database = emulators.endpoint('dynamodb');
  await createTables(database, tableLayouts);
  if (options.dataDir !== undefined) await repairIndexes(database, tableLayouts);
  const { redirectUris = [], postLogoutRedirectUris = [], origins = [], providers = {} } = options;
  const demoUris = {
    redirectUris: [
      `${DEMO_ORIGIN}/complete`,
      `${addresses.browserOrigin}/_local/callback`,
      `${DEMO_ORIGIN}/auth/callback/login`,
      ...redirectUris,
    ],
    postLogoutRedirectUris: [`${DEMO_ORIGIN}/`, ...postLogoutRedirectUris],
    origins: [DEMO_ORIGIN, ...origins],
  };
  const seedDemo = () =>
    seed({
      kmsEndpoint: emulators.endpoint('kms'),
      demoUris,
      providers,
      consoleOrigin: addresses.consoleOrigin,
    });
  await seedDemo();
  return { ...addresses, emulators, demoUris, seed: seedDemo };
}

interface Dispatching {
  readonly gateway: Gateway;
  readonly publicOrigin: string | undefined;
  readonly admits: Admits;
  readonly ready: Promise<LocalPages>;
}

const isLocal = (url: string): boolean => url === '/' || /^\/_local(?=[/?]|$)/.test(url);

/** The inbox, the tokens and the secrets; a provider or another application may only lead people to the callback page. */
function isPrivate({ url = '/', headers }: IncomingMessage): boolean {
  const isCallback = /^\/_local\/callback(?:\?|$)/.test(url) && headers['sec-fetch-mode'] === 'navigate';
  return isLocal(url) && url !== '/' && !isCallback;
}

async function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  { gateway, publicOrigin, admits, ready }: Dispatching,
): Promise<void> {
  if (!admits(request, response)) return;
  const pages = await ready;
  const { url = '/', method = 'GET' } = request;
  const isOurs = isLocal(url);
  // A proxy may name 127.0.0.1 as the host: a redirect would come back here for ever.
  if (
    publicOrigin === undefined &&
    (isOurs || gateway.route(method, url)?.row.reach === 'browser') &&
    redirectToLocalhost(request, response)
  )
    return;
  await (isOurs ? pages(request, response) : gateway.handle(request, response));
}

function fail(response: ServerResponse, error: unknown): void {
  log('error', { event: 'local_server_failed', name: error instanceof Error ? error.name : typeof error });
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"message":"Internal Server Error"}');
}

function logViolation(violation: string): void {
  log('error', { event: 'answer_differs_from_its_schema', violation });
}

async function openEmulators({
  dataDir,
  loadBackground,
  emulators = startEmulators,
  onDelay,
}: Preparing): Promise<Emulators> {
  const fail = (error: unknown) => {
    throw dataDir === undefined ? error : new EndError(complaintOf(dataDir, error));
  };
  const ttl = { table: 'flows', attribute: tableLayouts.flows.timeToLive ?? 'purge_at' };
  const kept = dataDir !== undefined && { dataDir };
  return emulators(
    { keys: localKeys, ttl, ...kept },
    {
      onProviderEvent: (event) => void handleProviderEvent(event, loadBackground),
      ...(onDelay && { onDelay }),
    },
    fail,
  ).catch(fail);
}
