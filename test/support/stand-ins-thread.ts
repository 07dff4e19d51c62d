import { type MessagePort, parentPort } from 'node:worker_threads';
import { installClock, restoreClock } from '../../lib/local/clock.ts';
import { type ServerOptions, serveStandIns } from '../../lib/local/stand-ins/server.ts';

/** The thread of `environment.ts`: serves new stand-ins for each channel that it is handed, until that is closed. */

export interface Order {
  readonly channel: MessagePort;
  readonly options: ServerOptions;
}

let open = 0;

parentPort?.on('message', async ({ channel, options }: Order) => {
  // Each test file begins at the real time.
  if (open === 0) {
    restoreClock();
    installClock();
  }
  open += 1;
  const standIns = await serveStandIns(options, (mailEvent) => channel.postMessage({ mailEvent }));
  channel.once('close', () => {
    open -= 1;
    standIns.close();
  });
  channel.postMessage({ port: standIns.port });
});
