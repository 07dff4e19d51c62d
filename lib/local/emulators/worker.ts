import { parentPort, workerData } from 'node:worker_threads';
import { installClock } from './clock.ts';
import { type ServerOptions, serveStandIns } from './server.ts';

/** The stand-ins in a thread of their own, so that the functions' CPU time stays theirs. */
installClock();
const publish = (mailEvent: object) => parentPort?.postMessage({ mailEvent });
const { port } = await serveStandIns(workerData as ServerOptions, publish);
parentPort?.postMessage({ port });
