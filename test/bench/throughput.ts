import { type Flow, flows, type Login } from './support/flows.ts';
import type { HttpClient } from './support/http-client.ts';
import { startServerProcess } from './support/server-process.ts';
import { median, percentile, rounded } from './support/statistics.ts';

export interface ThroughputRow {
  readonly flow: string;
  /** Number of flows in progress at the same time. */
  readonly concurrency: number;
  readonly flows_per_second: number;
  /** Median duration of a complete flow with all its requests, in ms. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly flows: number;
  /** Fraction of one CPU core that the load generator used. The server runs on the same machine. */
  readonly generator_core: number;
}

export interface ThroughputOptions {
  readonly seconds: number;
  readonly concurrency: readonly number[];
}

const WARM_UP_SECONDS = 2;
/**
 * Number of users per concurrent flow. No user may be in two flows, because a new code invalidates the previous code.
 */
const LOGINS_PER_FLOW_UNDER_WAY = 4;

/** Runs complete flows against the local server in `concurrency` loops. Each loop starts a flow when its previous flow ends. */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputRow[]> {
  const server = await startServerProcess({ RATE_LIMITS: 'off' });
  try {
    const logins = await server.logins(Math.max(...options.concurrency) * LOGINS_PER_FLOW_UNDER_WAY);
    const rows: ThroughputRow[] = [];
    for (const flow of flows) {
      await load(server.client, flow, logins, Math.max(...options.concurrency), WARM_UP_SECONDS);
      for (const concurrency of options.concurrency)
        rows.push(await load(server.client, flow, logins, concurrency, options.seconds));
    }
    return rows;
  } finally {
    await server.stop();
  }
}

async function load(
  client: HttpClient,
  flow: Flow,
  logins: readonly Login[],
  concurrency: number,
  seconds: number,
): Promise<ThroughputRow> {
  const durations: number[] = [];
  const generator = process.cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;
  let next = 0;

  async function loop(): Promise<void> {
    while (performance.now() < end) {
      const login = logins[next++ % logins.length] as Login;
      const began = performance.now();
      for (const step of flow.steps) await client.run(step, login);
      durations.push(performance.now() - began);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop));

  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(generator);
  return {
    flow: flow.name,
    concurrency,
    flows_per_second: rounded((durations.length * 1000) / elapsed),
    p50_ms: rounded(median(durations)),
    p99_ms: rounded(percentile(durations, 0.99)),
    flows: durations.length,
    generator_core: rounded((user + system) / 1000 / elapsed, 2),
  };
}
