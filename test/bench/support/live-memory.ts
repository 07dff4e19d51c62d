import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

// This file is loaded into each thread of the server. It records the bytes that remain after a full garbage collection. If
// this number grows, the server has a memory leak.

const EVERY_MS = 10_000;
const { LIVE_MEMORY: folder } = process.env;

if (folder && globalThis.gc)
  setInterval(() => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(join(folder, String(threadId)), String(heapUsed + external));
  }, EVERY_MS).unref();
