import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demo } from '../../lib/local/demo.ts';
import {
  createUser,
  emailOf,
  issueToken,
  newLogin,
  flows as ownFlows,
  type StepAnswer,
} from './support/flows.ts';
import { createHttpClient, type HttpClient } from './support/http-client.ts';
import { rounded } from './support/statistics.ts';

export interface ComparisonRow {
  readonly flow: string;
  /** CPU milliseconds of one flow, all threads of the process. */
  readonly service_ms: number;
  /** In a process of their own: in a deployment AWS does that work, and the bill has it. */
  readonly emulators_ms: number;
  readonly better_auth_ms?: number;
  readonly oidc_provider_ms?: number;
}

const PEERS = join(import.meta.dirname, 'comparison');
const EMULATORS = join(import.meta.dirname, 'cpu/emulators-process.ts');
const WARM_UP = 300;
const MEASURED = 500;
/** One person with hundreds of sessions is not what a login costs. */
const PEOPLE = 100;
const REDIRECT_URI = 'https://shop.example/callback';

type Message = Readonly<Record<string, string | undefined>>;
type Run = () => Promise<unknown>;
type Flows = Readonly<Record<string, Run>>;

interface Peer {
  readonly flows: Flows;
  readonly processes: readonly ChildProcess[];
  readonly client: HttpClient;
}

async function started(path: string, parameters: readonly string[]): Promise<[ChildProcess, Message]> {
  const quiet = { LOG_LEVEL: 'silent', NODE_ENV: 'production' };
  const child = fork(path, [...parameters], {
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${path} ended with code ${code}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [Message];
  failed.catch(() => {});
  return [child, message];
}

async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer as Answer;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const { user, system } = await ask<NodeJS.CpuUsage>(child, {});
  return (user + system) / 1000;
}

/** The answer's fields; throws when it refuses, for a number of refused flows would be worthless. */
function taken(answer: StepAnswer): Message {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as Message;
}

const get = async (client: HttpClient, target: string, headers = {}) =>
  taken(await client.send({ method: 'GET', target, headers, body: '' }));
const form = async (client: HttpClient, target: string, fields: Record<string, string>) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return taken(
    await client.send({ method: 'POST', target, headers, body: new URLSearchParams(fields).toString() }),
  );
};
const json = (client: HttpClient, target: string, body: object, headers = {}) => {
  const all = { 'content-type': 'application/json', ...headers };
  return client.send({ method: 'POST', target, headers: all, body: JSON.stringify(body) });
};

/** The same three flows at both providers of OpenID, beside the address of each. */
function clientFlows(
  client: HttpClient,
  paths: { readonly token: string; readonly push: string },
  credentials: { readonly client_id: string; readonly client_secret: string },
  asked: { readonly redirect_uri: string },
  first: string,
): Flows {
  const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  let refresh_token = first;
  return {
    'client token': () => form(client, paths.token, { ...credentials, grant_type: 'client_credentials' }),
    'pushed request': () => {
      const request = {
        response_type: 'code',
        scope: 'openid',
        code_challenge,
        code_challenge_method: 'S256',
      };
      return form(client, paths.push, { ...credentials, ...asked, ...request });
    },
    refresh: async () => {
      const fields = { ...credentials, grant_type: 'refresh_token', refresh_token };
      refresh_token = (await form(client, paths.token, fields)).refresh_token ?? refresh_token;
    },
  };
}

async function startService(): Promise<Peer> {
  const [emulators, { url: address = '' }] = await started(EMULATORS, []);
  const [child, { url = '', redirectUri = '' }] = await started(join(PEERS, 'service.ts'), [address]);
  const client = createHttpClient(url);
  const people = Array.from({ length: PEOPLE }, (_, index) => newLogin(emailOf(index), redirectUri));
  for (const person of people) {
    person.token = people[0]?.token ?? '';
    if (person.token === '') await client.run(issueToken, person);
    await client.run(createUser, person);
  }
  const steps = ownFlows.find(({ name }) => name === 'OTP login')?.steps ?? [];
  let last: Message = {};
  let logins = 0;
  const login = async () => {
    const person = people[logins++ % PEOPLE] as (typeof people)[number];
    const read = (_: unknown, answer: StepAnswer) => {
      last = JSON.parse(answer.body) as Message;
      person.code = last.code ?? person.code;
    };
    for (const step of steps) await client.run({ ...step, read }, person);
  };
  await login();
  const { clientId: client_id, clientSecret: client_secret } = demo.client;
  const paths = { token: '/cis/oidc/token', push: '/cis/oidc/request' };
  const credentials = { client_id, client_secret };
  const flows = {
    ...clientFlows(client, paths, credentials, { redirect_uri: redirectUri }, last.refresh_token ?? ''),
    'login by code': login,
    'public keys': () => get(client, '/cis/oidc/jwks'),
  };
  return { flows, processes: [child, emulators], client };
}

async function startBetterAuth(folder: string): Promise<Peer> {
  const database = join(folder, 'better-auth.sqlite');
  const [child, { url = '' }] = await started(join(folder, 'better-auth.mjs'), [database]);
  const client = createHttpClient(url);
  const headers = { origin: url };
  let logins = 0;
  const login = async () => {
    const email = emailOf(logins++ % PEOPLE);
    const wanted = { email, type: 'sign-in' };
    taken(await json(client, '/api/auth/email-otp/send-verification-otp', wanted, headers));
    const { code: otp } = await ask<{ code: string }>(child, { code: email });
    return taken(await json(client, '/api/auth/sign-in/email-otp', { email, otp }, headers));
  };
  await login();
  const flows = { 'login by code': login, 'public keys': () => get(client, '/api/auth/jwks') };
  return { flows, processes: [child], client };
}

async function startOidcProvider(folder: string): Promise<Peer> {
  const credentials = { client_id: 'bench', client_secret: 'a-secret-of-the-bench' };
  const parameters = [...Object.values(credentials), REDIRECT_URI];
  const [child, given] = await started(join(folder, 'oidc-provider.mjs'), parameters);
  const client = createHttpClient(given.url ?? '');
  const paths = { token: '/token', push: '/request' };
  const flows = {
    ...clientFlows(client, paths, credentials, { redirect_uri: REDIRECT_URI }, given.refresh_token ?? ''),
    'public keys': () => get(client, '/jwks'),
  };
  return { flows, processes: [child], client };
}

/** CPU milliseconds of each process per flow; one flow after the other. */
async function measure({ flows, processes }: Peer, name: string): Promise<readonly number[] | undefined> {
  const run = flows[name];
  if (!run) return undefined;
  for (let count = 0; count < WARM_UP; count++) await run();
  const before = await Promise.all(processes.map(cpuOf));
  for (let count = 0; count < MEASURED; count++) await run();
  const after = await Promise.all(processes.map(cpuOf));
  return after.map((cpu, index) => rounded((cpu - (before[index] ?? 0)) / MEASURED, 2));
}

/** The service beside what a team may run in its place: the same flows, signatures by RS256 everywhere. Needs npm's registry. */
export async function measureComparison(): Promise<ComparisonRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'otl-comparison-'));
  const peers: Peer[] = [];
  try {
    cpSync(PEERS, folder, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--omit=peer'];
    execFileSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' });
    const service = await startService();
    peers.push(service);
    const betterAuth = await startBetterAuth(folder);
    peers.push(betterAuth);
    const oidcProvider = await startOidcProvider(folder);
    peers.push(oidcProvider);
    const rows: ComparisonRow[] = [];
    for (const flow of Object.keys(service.flows)) {
      const [service_ms = 0, emulators_ms = 0] = (await measure(service, flow)) ?? [];
      const [better_auth_ms] = (await measure(betterAuth, flow)) ?? [];
      const [oidc_provider_ms] = (await measure(oidcProvider, flow)) ?? [];
      rows.push({
        flow,
        service_ms,
        emulators_ms,
        ...(better_auth_ms !== undefined && { better_auth_ms }),
        ...(oidc_provider_ms !== undefined && { oidc_provider_ms }),
      });
    }
    return rows;
  } finally {
    for (const { client, processes } of peers) {
      client.close();
      for (const child of processes) child.disconnect();
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
