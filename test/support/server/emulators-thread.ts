import { type MessagePort, parentPort } from 'node:worker_threads';
import { advanceClock, installClock, restoreClock } from '../../../lib/local/emulators/basis/clock.ts';
import { type ServerOptions, serveEmulators } from '../../../lib/local/emulators/server.ts';

/** The thread of `environment.ts`: serves new emulators for each channel that it is handed, until that is closed. */

export interface Order {
  readonly channel: MessagePort;
  readonly options: ServerOptions;
  /** By how many milliseconds the caller’s clock is shifted; there is one caller at a time. */
  readonly offset: number;
}

parentPort?.on('message', async ({ channel, options, offset }: Order) => {
  restoreClock();
  installClock();
  advanceClock(offset);
  const emulators = await serveEmulators(options, (mailEvent) => channel.postMessage({ mailEvent }));
  channel.once('close', emulators.close);
  channel.postMessage({ port: emulators.port });
});
