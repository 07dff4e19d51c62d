// `npm run dev`: runs the local server and restarts it when a source file changes. Open pages reload by themselves.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['bin', 'functions', 'lib', 'shared'];
const SOURCE = /\.(?:ts|mjs|css|html)$/;
/** Quiet time in milliseconds before a restart, because editors and `git checkout` write several files at a time. */
const SETTLED_MS = 150;

let server: ChildProcess | undefined;
let timer: NodeJS.Timeout | undefined;
let restarting = Promise.resolve();

async function stop(): Promise<void> {
  if (server?.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}

async function restart(): Promise<void> {
  await stop();
  server = spawn(process.execPath, [join(ROOT, 'bin/start.mjs')], { stdio: 'inherit' });
}

for (const folder of FOLDERS)
  watch(join(ROOT, folder), { recursive: true }, (_, file) => {
    if (!SOURCE.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.log(`\n${join(folder, file ?? '')} has changed`);
      restarting = restarting.then(restart);
    }, SETTLED_MS);
  });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void restarting.then(stop).then(() => process.exit(0)));
await restart();
