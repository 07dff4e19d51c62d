import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../tools/child-environment.ts';

let running: ChildProcess | undefined;

/**
 * Returns the child process in which all test files of this worker run otl commands. The process starts with the first command.
 */
export function otlChild(): ChildProcess {
  if (running?.connected) return running;
  running = fork(join(import.meta.dirname, 'otl-process.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: childEnvironment(),
    execArgv: [],
  });
  running.setMaxListeners(0);
  // The child process ends with this process and does not keep this process alive.
  running.unref();
  running.channel?.unref();
  return running;
}
