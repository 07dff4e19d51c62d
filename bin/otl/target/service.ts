import { advanceClock, installClock } from '../../../lib/local/emulators/basis/clock.ts';
import {
  baseUrlOf,
  type Environment,
  environmentNames,
} from '../../../lib/stacks/environments/environment.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

/** Where a command works. Nothing here uses AWS credentials. */

export interface TargetOptions {
  readonly env?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** A management client and its tenant. */
interface ManagementClient {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface LocalServer {
  /** Its address. */
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
    throw new UsageError(`The endpoint must be an address such as http://localhost:3000, not "${endpoint}".`);
  const root = endpoint.replace(/\/+$/, '');
  let answer: Response;
  try {
    answer = await fetch(`${root}/_local/environment`);
  } catch {
    throw new RefusedError(`Nothing answers at ${root}: start the local server with "npm start".`);
  }
  const found = (answer.ok ? await answer.json().catch(() => undefined) : undefined) as
    | Partial<LocalEnvironment>
    | undefined;
  const { tenant_id: tenantId, base_url: baseUrl, console_url: consoleOrigin, management } = found ?? {};
  if (!tenantId || !baseUrl || !consoleOrigin || !management)
    throw new RefusedError(`What answers at ${root} is no local server.`);
  await followClock(root);
  const demo = { tenantId, clientId: management.client_id, clientSecret: management.client_secret };
  return { root, baseUrl, consoleOrigin, demo };
}

/** Follows the clock of the local server, which tests and developers can advance. */
async function followClock(root: string): Promise<void> {
  const { offset_seconds } = (await (await fetch(`${root}/_local/clock`)).json()) as {
    readonly offset_seconds: number;
  };
  installClock();
  advanceClock(offset_seconds * 1000);
}

/** Errors: `UsageError`. */
export async function environmentOf(name: string): Promise<Environment> {
  const { environments } = await import('../../../lib/stacks/environments/environments.ts');
  const known = (environmentNames as readonly string[]).includes(name);
  const [environment] = known ? environments(name) : [];
  if (!environment)
    throw new UsageError(`There is no environment "${name}". There are: ${environmentNames.join(', ')}.`);
  return environment;
}

/** The command line takes precedence over the environment variable. Errors: `UsageError`, `RefusedError`. */
export async function findPlace({ env, endpoint }: TargetOptions): Promise<Environment | LocalServer> {
  if (env !== undefined && endpoint !== undefined)
    throw new UsageError('--env and --endpoint exclude each other: name one place.');
  if (env !== undefined) return environmentOf(env);
  const local = endpoint ?? process.env.OTL_ENDPOINT;
  if (local) return findLocal(local);
  throw new UsageError(
    'Say where: --env <name> for AWS, or --endpoint http://localhost:3000 (or OTL_ENDPOINT) for a local server.',
  );
}

/** The API of a place. */
export interface Service {
  /** The public address, with `/cis`. */
  readonly baseUrl: string;
  /** Where this machine reaches it: a local server may have a public name that only browsers know. */
  readonly apiUrl: string;
  /** Absent in AWS. */
  readonly demo?: ManagementClient;
}

/** Errors: `UsageError`, `RefusedError`. */
export async function findService(options: TargetOptions): Promise<Service> {
  const place = await findPlace(options);
  if ('root' in place) return { baseUrl: place.baseUrl, apiUrl: `${place.root}/cis`, demo: place.demo };
  const baseUrl = baseUrlOf(place);
  return { baseUrl, apiUrl: baseUrl };
}
