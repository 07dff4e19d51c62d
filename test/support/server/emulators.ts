import type { EmulatorEvents, EmulatorServer, ServerOptions } from '../../../lib/local/emulators/server.ts';
import { connectEmulators, type Emulators, startEmulators } from '../../../lib/local/emulators/start.ts';

type Serve = (
  options: ServerOptions,
  events: EmulatorEvents,
) => Promise<Pick<EmulatorServer, 'port' | 'close'>>;

/** Starts emulators in this thread. The function is set by `environment.ts` and is undefined outside tests, as in the bench. */
const { serveInMemory } = globalThis as unknown as { readonly serveInMemory?: Serve };

/**
 * Starts new emulators like `startEmulators`, but in this thread. TTL cleanup is off, because no response may depend on it:
 * DynamoDB may delete expired items 48 hours late, and strongly consistent global tables do not support TTL.
 */
export async function openEmulators(
  { ttl: _, ...options }: ServerOptions = {},
  events: EmulatorEvents = {},
): Promise<Emulators> {
  if (!serveInMemory) return startEmulators(options, events);
  const { port, close } = await serveInMemory(options, events);
  return {
    ...connectEmulators(`http://127.0.0.1:${port}`),
    async stop() {
      close();
    },
  };
}
