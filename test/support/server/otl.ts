import { type ChildProcess, fork, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

const own = (env: Environment) => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...env });

/** Runs the command line as a process of its own, without a terminal. */
export function otlAsProcess(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/otl.mjs', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: own(env),
  });
  // Wrong usage exits before it reads the input.
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

const running = new Map<string, ChildProcess>();
let asked = 0;

/** The same without starting Node each time: one process for each environment runs all commands. */
export function otlWith(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  const key = JSON.stringify(env);
  const child = running.get(key) ?? start(env);
  running.set(key, child);
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The command line ended in the middle of: ${args.join(' ')}`));
    const answered = (answer: Ended & { readonly id: number }) => {
      if (answer.id !== id) return;
      child.off('message', answered).off('exit', ended);
      const { code, stdout, stderr } = answer;
      resolve({ code, stdout, stderr });
    };
    child.on('message', answered).once('exit', ended);
    child.send({ id, args, input });
  });
}

function start(env: Environment): ChildProcess {
  const child = fork(join(import.meta.dirname, 'otl-process.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: own(env),
    execArgv: [],
  });
  child.setMaxListeners(0);
  // It ends with this process, and does not keep it alive.
  child.unref();
  child.channel?.unref();
  return child;
}
