import { expect } from '@jest/globals';
import type { TestServer } from './test-server.ts';

/** Delay in milliseconds that makes concurrent calls overlap, even on a busy machine. */
const LATENCY_MS = 25;
/**
 * Maximum number of measurements. The first one may meet a cold function, and a machine that stalls longer than the latency
 * makes concurrent calls look like a chain, but never the reverse.
 */
const ATTEMPTS = 5;

/** Prepares a request, without being counted. Returns the function that sends the request. */
export type Prepare<Who> = (person: Who) => Promise<() => Promise<{ readonly status: number }>>;

/**
 * Measures the longest chain of AWS calls of a warm operation, with a new person each time. Returns the shortest result, and
 * stops once it is within the budget.
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
