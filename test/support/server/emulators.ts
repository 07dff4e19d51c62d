import type { EmulatorEvents, ServedEmulators, ServerOptions } from '../../../lib/local/emulators/server.ts';
import { connectEmulators, type Emulators, startEmulators } from '../../../lib/local/emulators/start.ts';

type Serve = (
  options: ServerOptions,
  events: EmulatorEvents,
) => Promise<Pick<ServedEmulators, 'port' | 'close'>>;

/** Set by `environment.ts`; absent where no test runs, as in the bench. */
const { serveInMemory } = globalThis as unknown as { readonly serveInMemory?: Serve };

/**
 * New emulators, as `startEmulators` brings them, without a thread of their own. Nothing is cleaned up: DynamoDB may take 48 hours
 * for it, and a global table with strong consistency does not do it at all, so no answer may depend on it.
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
