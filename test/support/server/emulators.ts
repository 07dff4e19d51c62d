import type { EmulatorEvents, EmulatorServer, ServerOptions } from '../../../lib/local/emulators/server.ts';
import { connectEmulators, type Emulators, startEmulators } from '../../../lib/local/emulators/start.ts';

type Serve = (
  options: ServerOptions,
  events: EmulatorEvents,
) => Promise<Pick<EmulatorServer, 'port' | 'close'>>;

/** Starts emulators in this thread. Set by `environment.ts`, and absent outside of tests, as in the bench. */
const { serveInMemory } = globalThis as unknown as { readonly serveInMemory?: Serve };

/**
 * Starts new emulators like `startEmulators`, without a separate thread. TTL cleanup is off, so that no response depends on it:
 * DynamoDB may take 48 hours, and strongly consistent global tables never delete.
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
