import module from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalServer } from '../start.ts';
import type { LocalOptions, Question, Reply, Task } from './start-local.ts';

// Entry point of the child process that `startLocal()` creates. It starts the service and answers messages over its IPC
// channel.

const LOOK_EVERY_MS = 25;
const STOP_WITHIN_MS = 1900;

let server: LocalServer | undefined;

// The IPC channel closes when the caller's process ends, even if that process was killed.
process.on('disconnect', () => process.exit(0));
process.on('message', ({ id, task }: Question) => {
  perform(task)
    .then(
      (value): Reply => ({ id, value }),
      (error: unknown): Reply => ({ id, error: error instanceof Error ? error.message : String(error) }),
    )
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});

async function perform(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'start':
      return start(task.options);
    case 'wait':
      return waitFor(task.recipient, task.timeout);
    case 'call':
      return call(task.path, task.method, task.body);
    case 'close':
      await Promise.race([server?.stop(), delay(STOP_WITHIN_MS)]);
      process.exit(0);
  }
}

async function start({ port = 0, ...options }: LocalOptions): Promise<unknown> {
  // The compile cache saves a third of the CPU time of later starts. It is optional: the cache folder may not be writable.
  module.enableCompileCache();
  const { startLocalServer } = await import('../start.ts');
  server = await startLocalServer({ ...options, port });
  return call('/_local/environment', 'GET');
}

async function call(path: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(`${requireServer().url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const { message } = answer as { message: string };
  throw new Error(`${method} ${path}: ${message}`);
}

/**
 * Polls the inbox until a message to this recipient arrives, and returns the newest message.
 * @param timeout Milliseconds of the monotonic clock, which the local server does not shift.
 */
async function waitFor(recipient: string, timeout: number): Promise<unknown> {
  const { emulators } = requireServer();
  for (const since = performance.now(); ; await delay(LOOK_EVERY_MS)) {
    const [message] = await emulators.messages({ to: recipient });
    if (message) return message;
    if (performance.now() - since >= timeout) break;
  }
  const others = new Set((await emulators.messages()).map(({ to }) => to));
  const sent =
    others.size === 0 ? 'There is none at all.' : `There are messages to ${[...others].join(', ')}.`;
  throw new Error(`no message to ${recipient} within ${timeout} ms. ${sent}`);
}

function requireServer(): LocalServer {
  if (!server) throw new Error('the local service has not started');
  return server;
}
