import { log } from '../../shared/http/log.ts';
import type { Handler } from './gateway.ts';
import type { Operations } from './routes.ts';

/** A deployed function is its file's export `handler`. */
export async function loadFunction(entry: string): Promise<Handler> {
  const { handler } = (await import(`../../functions/${entry}.ts`)) as { handler: Handler };
  return handler;
}

/** A function that no request calls, as Lambda sees it. */
export type OtherHandler = (event: object) => Promise<unknown>;

/** The same for the functions below lib/. */
export async function loadOther(entry: string): Promise<OtherHandler> {
  const { handler } = (await import(`../${entry}/handler.ts`)) as { handler: OtherHandler };
  return handler;
}

/** So that no first request waits for its code. */
export async function preload(
  operations: Operations,
  load: (entry: string) => Promise<Handler>,
  isStopping: () => boolean,
): Promise<void> {
  for (const { entry } of Object.values(operations)) {
    if (isStopping()) return;
    await load(entry).catch((error: unknown) => {
      log('error', { event: 'function_does_not_load', entry, message: String(error) });
    });
  }
}
