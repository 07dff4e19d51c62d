import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { childEnvironment } from '../tools/child-environment.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** Runs the command line as a separate process, without a terminal. */
export function otlAsProcess(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/otl.mjs', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment({ HOME: process.env.HOME, ...env }),
  });
  // A command with wrong arguments exits before it reads stdin, which causes an error that is ignored.
  child.stdin.on('error', () => undefined).end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const { otlChild } = globalThis as unknown as { readonly otlChild: () => ChildProcess };

/** Runs the command line in one process for all test files of a worker, without starting Node each time. */
export function otlWith(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  const child = otlChild();
  const id = randomUUID();
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The command line ended in the middle of: ${args.join(' ')}`));
    const answered = (answer: Ended & { readonly id: string }) => {
      if (answer.id !== id) return;
      child.off('message', answered).off('exit', ended);
      const { code, stdout, stderr } = answer;
      resolve({ code, stdout, stderr });
    };
    child.on('message', answered).once('exit', ended);
    child.send({ id, env: childEnvironment({ HOME: process.env.HOME, ...env }), args, input });
  });
}

const credentials = new Map<string, Environment>();

/**
 * Returns the environment variables for a command whose `--tenant` names a tenant that `newTenant` has created. They contain
 * the credentials of the tenant's management client.
 */
export const credentialsFor = (args: readonly string[]): Environment =>
  credentials.get(args[args.indexOf('--tenant') + 1] ?? '') ?? {};

/** Creates a tenant with `otl`. Returns the option `--tenant` with the ID of the tenant. */
export async function newTenant(endpoint: string): Promise<readonly ['--tenant', string]> {
  const { stdout, stderr } = await otlWith({ OTL_ENDPOINT: endpoint }, [
    'tenant',
    'create',
    '--name',
    'New',
    '--json',
  ]);
  if (stdout === '') throw new Error(stderr);
  const { tenant_id, management } = JSON.parse(stdout) as {
    readonly tenant_id: string;
    readonly management: { readonly client_id: string; readonly client_secret: string };
  };
  const { client_id: OTL_CLIENT_ID, client_secret: OTL_CLIENT_SECRET } = management;
  credentials.set(tenant_id, { OTL_CLIENT_ID, OTL_CLIENT_SECRET });
  return ['--tenant', tenant_id];
}

/**
 * Returns functions that run otl commands for a server. The arguments `first` precede those of each command. `json` expects
 * that the command succeeds without messages on stderr, and returns its parsed output.
 */
export function otlAt(server: { readonly url: string }, ...first: readonly string[]) {
  const otl = (...args: readonly string[]) => otlWith({ OTL_ENDPOINT: server.url }, [...first, ...args]);
  return {
    otl,
    async json<Body = Readonly<Record<string, unknown>>>(...args: readonly string[]): Promise<Body> {
      const { code, stdout, stderr } = await otl(...args, ...(first.includes('--json') ? [] : ['--json']));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout) as Body;
    },
  };
}
