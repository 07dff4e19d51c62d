import { parentPort, workerData } from 'node:worker_threads';
import { installClock } from './basis/clock.ts';
import { type ServerOptions, serveEmulators } from './server.ts';

/** The emulators in a thread of their own, so that the functions' CPU time stays theirs. */
installClock();
const publish = (mailEvent: object) => parentPort?.postMessage({ mailEvent });
const { port } = await serveEmulators(workerData as ServerOptions, publish);
parentPort?.postMessage({ port });
