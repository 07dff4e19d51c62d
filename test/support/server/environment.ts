import { Worker } from 'node:worker_threads';
import { TestEnvironment } from 'jest-environment-node';

let thread: Worker | undefined;

/** One for all files that this process of jest runs; a new one when the last has died. */
function emulatorsThread(): Worker {
  if (thread) return thread;
  const started = new Worker(new URL('./emulators-thread.ts', import.meta.url));
  // The one who waits for it is told by the channel.
  started.on('error', (error) => console.error('the thread of the emulators failed', error));
  started.once('exit', () => {
    thread = undefined;
  });
  started.unref();
  thread = started;
  return started;
}

/**
 * jest evaluates every module anew for each test file, and new code is slow: a thread of its own for the emulators would
 * cost most files more than their tests. So the thread stays, with its code compiled; what it serves is new for each file.
 */
export default class Environment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { emulatorsThread });
  }
}
