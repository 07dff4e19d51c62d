import { MessageChannel, type Worker } from 'node:worker_threads';
import type { MailEvent } from '../../../functions/events/mail-events.ts';
import { clockOffset } from '../../../lib/local/emulators/basis/clock.ts';
import type { ServerOptions } from '../../../lib/local/emulators/server.ts';
import { connectEmulators, type Emulators, startEmulators } from '../../../lib/local/emulators/start.ts';
import type { Order } from './emulators-thread.ts';

/** Set by `environment.ts`; absent where no test runs, as in the bench. */
const { emulatorsThread } = globalThis as unknown as { readonly emulatorsThread?: () => Worker };

interface Report {
  readonly port?: number;
  readonly mailEvent?: MailEvent;
}

/** New emulators, as `startEmulators` brings them, in a thread that has served others before. */
export async function openEmulators(
  options: ServerOptions = {},
  onMailEvent: (event: MailEvent) => void = () => {},
): Promise<Emulators> {
  if (!emulatorsThread) return startEmulators(options, onMailEvent);
  const { port1: channel, port2: theirs } = new MessageChannel();
  const order: Order = { channel: theirs, options, offset: clockOffset() };
  emulatorsThread().postMessage(order, [theirs]);
  const port = await new Promise<number>((resolve, reject) => {
    channel.once('close', () => reject(new Error('The thread of the emulators ended')));
    channel.on('message', (report: Report) => {
      if (report.port !== undefined) resolve(report.port);
      if (report.mailEvent !== undefined) onMailEvent(report.mailEvent);
    });
  });
  return {
    ...connectEmulators(`http://127.0.0.1:${port}`),
    async stop() {
      channel.close();
    },
  };
}
