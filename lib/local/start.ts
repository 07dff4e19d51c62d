import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chooseAreas, selectOperations } from '../../functions/areas.ts';
import { consoleOperations, operations as table } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { DeployedAreas } from '../../shared/domain/basis/areas.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { log } from '../../shared/http/log.ts';
import { withinBudget } from '../../shared/sdk/budget.ts';
import { findViolations } from './check-answer.ts';
import { createConsole, isCallOfConsole, listenForConsole } from './console.ts';
import { localKeys } from './demo.ts';
import { installClock, restoreClock } from './emulators/basis/clock.ts';
import { explainFailure } from './emulators/basis/data-folder.ts';
import { createHostCheck, type HostCheck } from './emulators/basis/own-names.ts';
import { repairIndexes } from './emulators/dynamodb/repair-indexes.ts';
import { createTables } from './emulators/dynamodb/tables.ts';
import type { EmulatorEvents } from './emulators/server.ts';
import { type Emulators, startEmulators } from './emulators/start.ts';
import { startEventSources } from './event-sources.ts';
import type { LocalOptions } from './for-tests/start-local.ts';
import {
  type Addresses,
  computeAddresses,
  functionEnvironment,
  setEnvironment,
} from './function-environment.ts';
import { createGateway, type Gateway, type GatewayOptions, type Handler, HTTP_SERVER } from './gateway.ts';
import { closeServer, listen, StartupError } from './http-server.ts';
import { type BackgroundHandler, clearFunctionCache, loadFunction, preload } from './load-function.ts';
import { createLocalPages, type LocalPages } from './local-pages.ts';
import { collectLogLines } from './log/log-lines.ts';
import type { ReadableLog } from './log/readable-log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { redirectToLocalhost } from './navigation.ts';
import { withErrorUri } from './playground/error-uri.ts';
import { findHint } from './playground/hints.ts';
import { createHistory } from './playground/history.ts';
import { deliverProviderEvent } from './provider-events.ts';
import type { DemoProviders } from './providers.ts';
import { createResets } from './reset.ts';
import type { Operations } from './routes.ts';
import { type DemoUris, seed } from './seed.ts';

export interface LocalServerOptions extends LocalOptions {
  readonly host?: string;
  /** Port of the operator console. Default: the port after `port`, or a free port if the port after `port` is in use. */
  readonly consolePort?: number;
  /** Origin that browsers and clients use if the server is behind a reverse proxy, for example `https://login.test:8443`. */
  readonly publicOrigin?: string;
  /** Origin that browsers use for the operator console, if it is behind a reverse proxy. */
  readonly consoleOrigin?: string;
  /** Host names that the server accepts in addition to the loopback names and the host of the public origin. */
  readonly hosts?: readonly string[];
  /** Path of the folder that stores all data. If undefined, data is only in memory. */
  readonly dataDir?: string;
  readonly providers?: DemoProviders;
  /** Environment variables of the functions, in addition to the default variables or in place of them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True (the default) if events are passed to the background functions for timelines, webhooks and notices. */
  readonly events?: boolean;
  readonly operations?: Operations;
  /** Areas of the service that run, in addition to the core and to the areas that they require. Default: all areas. */
  readonly areas?: readonly string[];
  /**
   * Loads the Lambda handler of an operation, which `entry` (the operation's `event`) identifies. By default, loads the handler
   * from source.
   */
  readonly load?: (entry: string) => Promise<Handler>;
  /** Loads the Lambda handler of a background function. By default, loads the handler from source. */
  readonly loadBackground?: (entry: string) => Promise<BackgroundHandler>;
  /** Starts the AWS emulators. By default, the emulators run in a worker thread of this process. */
  readonly emulators?: typeof startEmulators;
  /** True if all functions are loaded after the start, so that first requests are not delayed. */
  readonly preload?: boolean;
  /** Log that prints a readable line for each request. */
  readonly log?: ReadableLog;
  /** True (the default) if errors have an `error_uri` that leads to the API reference. Deployed functions send none. */
  readonly errorUris?: boolean;
  /** Called if a response does not match the schema of its operation. By default, the violation is logged. */
  readonly onViolation?: (violation: string) => void;
}

export interface LocalServer {
  readonly areas: DeployedAreas;
  readonly port: number;
  readonly url: string;
  readonly consoleUrl: string;
  readonly browserOrigin: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly consoleOrigin: string;
  readonly demoUris: DemoUris;
  readonly emulators: Emulators;
  readonly metrics: Metrics;
  /** Resolves when all events that are due now have been processed. */
  settleEvents(): Promise<void>;
  /** Stops the server after the requests in progress have finished, and restores `Date` and `process.env`. */
  stop(): Promise<void>;
}

function readChosenAreas(names: readonly string[]): DeployedAreas {
  try {
    return chooseAreas(names);
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}

/** Timeout multiplier of a deployed function. */
const DEPLOYED_TIMEOUT_MULTIPLIER = 1;

/** Origin on which developers run their own application for tests, as the quickstarts do. */
const DEMO_ORIGIN = 'http://localhost:8080';

/**
 * Starts the whole service in this process: the service on one port and the operator console on another. Only one server can
 * run in a process at a time, because the server replaces `Date` and changes `process.env`.
 * @throws StartupError if the port is in use or the data folder cannot be used.
 */
export async function startLocalServer(options: LocalServerOptions = {}): Promise<LocalServer> {
  const { load = loadFunction } = options;
  const areas = options.areas ? readChosenAreas(options.areas) : 'all';
  const operations = selectOperations(options.operations ?? table, areas);
  const consoleTable = selectOperations(consoleOperations, areas);
  const metrics = createMetrics();
  const logLines = collectLogLines();
  const history = createHistory();
  // While a fault delays AWS calls, the functions use the time limits of a deployment, so that they respond as in production.
  let isDelayed = false;
  const around: GatewayOptions['around'] = async (route, request, invocation) => {
    const invoke = isDelayed ? () => withinBudget(DEPLOYED_TIMEOUT_MULTIPLIER, invocation) : invocation;
    const run: Parameters<typeof history.record>[2] = async (tell) => {
      const given = await metrics.run(route.name, invoke, tell);
      if (options.errorUris === false) return given;
      // A failure to create the hint must not change the response.
      const hint = await findHint(route, request, given).catch(() => undefined);
      return withErrorUri(route, given, hint);
    };
    // Developers look in the history for the requests of their own clients, so the console's requests are left out.
    const isOfConsole = route.name in consoleTable || isCallOfConsole(request);
    const answer = await (isOfConsole ? run(() => undefined) : history.record(route, request, run));
    // Functions cache configuration for a minute. Clearing the cache makes a developer's change effective immediately.
    if (load === loadFunction && route.row.event.startsWith('management/') && request.method !== 'GET')
      clearFunctionCache();
    options.log?.printRequest(route, request.method, answer);
    for (const violation of findViolations(route, request.method, answer))
      (options.onViolation ?? logViolation)(violation);
    return answer;
  };
  const gateway = createGateway({ operations, load, around });
  const ready = Promise.withResolvers<LocalPages>();
  // Requests that arrive before the start has finished wait for this promise. The caller reports a failed start, so the
  // rejection is ignored here.
  ready.promise.catch(() => undefined);
  const { publicOrigin, hosts = [] } = options;
  const ownHosts = publicOrigin === undefined ? hosts : [...hosts, new URL(publicOrigin).host];
  const admits = createHostCheck(ownHosts, isPrivate);
  const server = createServer(HTTP_SERVER, (request, response) => {
    dispatch(request, response, { gateway, publicOrigin, admits, ready: ready.promise }).catch(
      (error: unknown) => fail(response, error),
    );
  });

  const consoleServer = createConsole({
    gateway: createGateway({ operations: consoleTable, load, around }),
    admits,
    ready: ready.promise,
    fail,
  });
  const cleanUps: CleanUp[] = [metrics.close, logLines.close, history.close];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= shutDown([server, consoleServer], cleanUps);
    return stopping;
  };
  try {
    const { host = '127.0.0.1' } = options;
    const port = await listen(server, options.port ?? 3000, host);
    const consolePort = await listenForConsole(
      consoleServer,
      options.consolePort,
      options.port ?? 3000,
      host,
    );
    const onDelay = (isDelayedNow: boolean) => {
      isDelayed = isDelayedNow;
    };
    const addresses = computeAddresses(port, consolePort, options.publicOrigin, options.consoleOrigin);
    const state = await prepare({ ...options, areas, onDelay }, addresses, cleanUps);
    const events = options.events === false ? undefined : startEventSources(state.emulators, options);
    if (events) cleanUps.push(events.stop);
    const settleEvents = async () => events?.settle();
    const resets = createResets({ ...state, metrics, history, settleEvents });
    const [url, consoleUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${consolePort}`];
    ready.resolve(createLocalPages({ ...state, ...resets, url, metrics, logLines, history, settleEvents }));
    if (options.preload) void preload({ ...operations, ...consoleTable }, load, () => stopping !== undefined);
    return { ...state, areas, port, url, consoleUrl, metrics, settleEvents, stop };
  } catch (error) {
    ready.reject(error);
    await stop();
    throw error;
  }
}

type CleanUp = () => void | Promise<void>;

/**
 * Stops the servers first and then runs the clean-up steps in reverse order, because requests in progress still use what the
 * steps remove.
 */
async function shutDown(servers: readonly Server[], cleanUps: readonly CleanUp[]): Promise<void> {
  await Promise.all(servers.filter(({ listening }) => listening).map(closeServer));
  for (const step of cleanUps.toReversed()) await step();
}

interface PrepareOptions extends Omit<LocalServerOptions, 'areas'>, Pick<EmulatorEvents, 'onDelay'> {
  readonly areas: DeployedAreas;
}

/** Prepares everything that requests need: the clock, the emulators, environment variables, tables and the demo tenant. */
async function prepare(options: PrepareOptions, addresses: Addresses, cleanUps: CleanUp[]) {
  installClock();
  cleanUps.push(restoreClock);
  const emulators = await openEmulators(options);
  cleanUps.push(emulators.stop);
  const restoreEnvironment = setEnvironment({
    ...functionEnvironment(addresses, {
      version: packageJson.version,
      rateLimits: options.rateLimits ?? 'on',
      areas: options.areas,
    }),
    ...emulators.environment,
    WEBHOOK_QUEUE_URL: `${emulators.endpoint('sqs')}/webhooks`,
    ...options.environment,
  });
  cleanUps.push(restoreEnvironment);
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

interface DispatchContext {
  readonly gateway: Gateway;
  readonly publicOrigin: string | undefined;
  readonly admits: HostCheck;
  readonly ready: Promise<LocalPages>;
}

const isLocal = (url: string): boolean => url === '/' || /^\/_local(?=[/?]|$)/.test(url);

/**
 * Returns true for requests that pages of other sites must not make, because the responses contain messages, tokens and
 * secrets. Other sites may only navigate to the callback page, as a social provider or another application does.
 */
function isPrivate({ url = '/', headers }: IncomingMessage): boolean {
  const isCallback = /^\/_local\/callback(?:\?|$)/.test(url) && headers['sec-fetch-mode'] === 'navigate';
  return isLocal(url) && url !== '/' && !isCallback;
}

async function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  { gateway, publicOrigin, admits, ready }: DispatchContext,
): Promise<void> {
  if (!admits(request, response)) return;
  const pages = await ready;
  const { url = '/', method = 'GET' } = request;
  const isOurs = isLocal(url);
  // Requests from a reverse proxy are not redirected: if the proxy sends 127.0.0.1 as the host, the redirect would loop
  // forever.
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
}: PrepareOptions): Promise<Emulators> {
  const fail = (error: unknown) => {
    throw dataDir === undefined ? error : new StartupError(explainFailure(dataDir, error));
  };
  const ttl = { table: 'flows', attribute: tableLayouts.flows.timeToLive ?? 'purge_at' };
  const kept = dataDir !== undefined && { dataDir };
  return emulators(
    { keys: localKeys, ttl, ...kept },
    {
      onProviderEvent: (event) => void deliverProviderEvent(event, loadBackground),
      ...(onDelay && { onDelay }),
    },
    fail,
  ).catch(fail);
}
