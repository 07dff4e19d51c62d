import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { createHistory } from '../../lib/local/playground/history.ts';
import type { Operations } from '../../lib/local/routes.ts';

// Tests the history of requests and responses that the playground shows.

const MEGABYTE = 1024 * 1024;
const KEPT_TEXT_BYTES = 20_000;
const [[name, row] = []] = Object.entries(operations as Operations);
if (name === undefined || row === undefined) throw new Error('there is no operation');
const route = { name, row, path: String(row.path), parameters: {} };

async function recorded(bodies: readonly (() => Buffer)[]) {
  const history = createHistory();
  for (const make of bodies) {
    const request = { method: 'POST', target: '/', rawHeaders: [], body: make(), sourceIp: '127.0.0.1' };
    const answer = { status: 200, headers: {}, cookies: [], body: make() };
    await history.record(route, request, async () => answer);
  }
  return history;
}

/** Returns the memory that is in use after a garbage collection, in megabytes. */
function usedMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

test('the request history of the local server stores only the beginning of a long body', async () => {
  const before = usedMegabytes();
  const history = await recorded(Array.from({ length: 20 }, () => () => Buffer.alloc(5 * MEGABYTE, 'a')));
  const [entry] = history.since(0);
  expect(entry?.body).toBe('a'.repeat(KEPT_TEXT_BYTES));
  expect(entry?.answer.body).toBe('a'.repeat(KEPT_TEXT_BYTES));
  // V8 frees unused buffers outside the heap with a delay, so the test waits. Text that is still referenced is never freed.
  for (let rest = 40; usedMegabytes() - before >= 50 && rest > 0; rest -= 1) await setTimeout(50);
  expect(usedMegabytes() - before).toBeLessThan(50);
  history.close();
});

test('the request history of the local server never cuts a body in the middle of a character', async () => {
  const history = await recorded([() => Buffer.from(`a${'é'.repeat(KEPT_TEXT_BYTES)}`)]);
  expect(history.since(0)[0]?.body).toBe(`a${'é'.repeat(KEPT_TEXT_BYTES / 2 - 1)}`);
  history.close();
});
