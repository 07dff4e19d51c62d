import { flows, lookups, type Step } from './support/flows.ts';
import { startServerProcess } from './support/server-process.ts';

export interface RoundTripsRow {
  readonly operation: string;
  /** Longest chain of AWS calls, each begun after the one before was answered; on a warm container. */
  readonly sequential: number;
  /** All AWS calls of one request. */
  readonly calls: number;
}

type Metrics = Readonly<
  Record<string, { readonly last: { readonly sequential_depth: number; readonly calls: readonly string[] } }>
>;

/** Runs that must agree: calls that go out together may look like a chain when the machine is busy, never the reverse. */
const RUNS = 6;

/** Counts with the windows on, as in the cloud. */
export async function measureRoundTrips(): Promise<RoundTripsRow[]> {
  const server = await startServerProcess({ RATE_LIMITS: 'on' });
  try {
    const logins = await server.logins(RUNS);
    const rows = new Map<string, RoundTripsRow>();
    const count = async ({ operation }: Step) => {
      const { last } = (await server.get<Metrics>('/_local/metrics'))[operation] ?? {
        last: { sequential_depth: 0, calls: [] },
      };
      const before = rows.get(operation)?.sequential ?? Number.POSITIVE_INFINITY;
      const sequential = Math.min(before, last.sequential_depth);
      rows.set(operation, { operation, sequential, calls: last.calls.length });
    };
    for (const login of logins)
      for (const step of [...flows.flatMap(({ steps }) => steps), ...lookups]) {
        await server.client.run(step, login);
        await count(step);
      }
    return [...rows.values()];
  } finally {
    await server.stop();
  }
}
