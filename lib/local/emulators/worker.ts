import { parentPort, workerData } from 'node:worker_threads';
import { installClock } from './basis/clock.ts';
import { type ServerOptions, serveEmulators } from './server.ts';

/** Runs the emulators in a thread of their own, so they do not count as the functions' CPU time. */
installClock();
const { port } = await serveEmulators(workerData as ServerOptions, {
  onProviderEvent: (told) => parentPort?.postMessage({ told }),
  onDelay: (isDelayed) => parentPort?.postMessage({ isDelayed }),
});
parentPort?.postMessage({ port });
