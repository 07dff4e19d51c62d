// Finds the environment or local server that a command works on. This module uses no AWS credentials.

import { advanceClock, installClock } from '../../../lib/local/emulators/basis/clock.ts';
import {
  type Environment,
  environmentNames,
  toBaseUrl,
} from '../../../lib/stacks/environments/environment.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

export interface TargetOptions {
  readonly env?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** Credentials of a management client, with its tenant. */
interface ManagementClient {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface LocalServer {
  /** Origin of the local server, such as `http://localhost:3000`. */
  readonly root: string;
  readonly baseUrl: string;
  readonly consoleOrigin: string;
  readonly demo: ManagementClient;
}

interface LocalEnvironment {
  readonly tenant_id: string;
  readonly base_url: string;
  readonly console_url: string;
  readonly management: { readonly client_id: string; readonly client_secret: string };
}

async function findLocal(endpoint: string): Promise<LocalServer> {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new UsageError(`The endpoint must be a URL such as http://localhost:3000, not "${endpoint}".`);
  const root = endpoint.replace(/\/+$/, '');
  let answer: Response;
  try {
    answer = await fetch(`${root}/_local/environment`);
  } catch {
    throw new RefusedError(`No server responds at ${root}. Start the local server with "npm start".`);
  }
  const found = (answer.ok ? await answer.json().catch(() => undefined) : undefined) as
    | Partial<LocalEnvironment>
    | undefined;
  const { tenant_id: tenantId, base_url: baseUrl, console_url: consoleOrigin, management } = found ?? {};
  if (!tenantId || !baseUrl || !consoleOrigin || !management)
    throw new RefusedError(`The server at ${root} is not a local server of One-Time Login.`);
  await followClock(root);
  const demo = { tenantId, clientId: management.client_id, clientSecret: management.client_secret };
  return { root, baseUrl, consoleOrigin, demo };
}

/** Sets the clock of this process to the clock of the local server, which tests and developers can advance. */
async function followClock(root: string): Promise<void> {
  const { offset_seconds } = (await (await fetch(`${root}/_local/clock`)).json()) as {
    readonly offset_seconds: number;
  };
  installClock();
  advanceClock(offset_seconds * 1000);
}

/** Returns the settings of an environment. Throws `UsageError` if there is no environment of this name. */
export async function requireEnvironment(name: string): Promise<Environment> {
  const { environments } = await import('../../../lib/stacks/environments/environments.ts');
  const known = (environmentNames as readonly string[]).includes(name);
  const [environment] = known ? environments(name) : [];
  if (!environment)
    throw new UsageError(`There is no environment "${name}". Environments: ${environmentNames.join(', ')}.`);
  return environment;
}

/**
 * Returns the environment or local server that the options select. The options take precedence over `OTL_ENDPOINT`.
 * @throws `UsageError`, `RefusedError`
 */
export async function findPlace({ env, endpoint }: TargetOptions): Promise<Environment | LocalServer> {
  if (env !== undefined && endpoint !== undefined)
    throw new UsageError('--env and --endpoint exclude each other.');
  if (env !== undefined) return requireEnvironment(env);
  const local = endpoint ?? process.env.OTL_ENDPOINT;
  if (local) return findLocal(local);
  throw new UsageError(
    'Name the target: --env <name> for AWS, or --endpoint http://localhost:3000 (or OTL_ENDPOINT) for a local server.',
  );
}

/** API of an environment or a local server. */
export interface Service {
  /** Public base URL, which ends in `/cis`. */
  readonly baseUrl: string;
  /** Base URL that this machine can reach. The public host name of a local server may resolve only in browsers. */
  readonly apiUrl: string;
  /** Management client of the demo tenant; absent in AWS. */
  readonly demo?: ManagementClient;
}

/** Finds the API that the options name. Throws `UsageError`, `RefusedError`. */
export async function findService(options: TargetOptions): Promise<Service> {
  const place = await findPlace(options);
  if ('root' in place) return { baseUrl: place.baseUrl, apiUrl: `${place.root}/cis`, demo: place.demo };
  const baseUrl = toBaseUrl(place);
  return { baseUrl, apiUrl: baseUrl };
}
