import { expect } from '@jest/globals';
import type { TestServer } from './test-server.ts';

/** Latency in milliseconds that is added to each AWS call, so that concurrent calls overlap even on a busy machine. */
const LATENCY_MS = 25;
/**
 * Maximum number of measurements. A result may be too high if caches are cold, or if the machine stalls for longer than the
 * latency. A result is never too low.
 */
const ATTEMPTS = 5;

/** Prepares a request without counting the AWS calls of the preparation. Returns the function that sends the request. */
export type Prepare<Who> = (person: Who) => Promise<() => Promise<{ readonly status: number }>>;

/**
 * Measures the longest chain of sequential AWS calls of an operation with warm caches. Repeats the measurement with a new user
 * until the result is at most `budget`. Returns the lowest result.
 */
export async function measureDepth<Who>(
  server: TestServer,
  newUser: () => Promise<Who>,
  operation: string,
  prepare: Prepare<Who>,
  { status, budget }: { readonly status?: number; readonly budget: number },
): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && shortest > budget; attempt += 1) {
    const request = await prepare(await newUser());
    for (const service of ['dynamodb', 'kms', 'ses', 'sns'] as const)
      await server.faults.inject({ service, effect: 'latency', latency_ms: LATENCY_MS });
    try {
      const answer = await request();
      if (status === undefined) expect(answer.status).toBeLessThan(400);
      else expect(answer.status).toBe(status);
    } finally {
      await server.faults.clear();
    }
    shortest = Math.min(shortest, server.metrics()[operation]?.last.sequential_depth ?? 0);
  }
  return shortest;
}
