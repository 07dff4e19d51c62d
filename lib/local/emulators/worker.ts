import { parentPort, workerData } from 'node:worker_threads';
import { installClock } from './basis/clock.ts';
import { type ServerOptions, serveEmulators } from './server.ts';

// Entry point of the worker thread that runs the emulators. In a separate thread, they add nothing to the measured CPU time of
// the functions.
installClock();
const { port } = await serveEmulators(workerData as ServerOptions, {
  onProviderEvent: (told) => parentPort?.postMessage({ told }),
  onDelay: (isDelayed) => parentPort?.postMessage({ isDelayed }),
});
parentPort?.postMessage({ port });
