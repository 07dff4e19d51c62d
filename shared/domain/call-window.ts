import { ServiceError } from '../errors/service-error.ts';
import type { Application, Client } from '../ports/directory.ts';
import type { SendWindow, Windows } from '../ports/flows.ts';
import { CLIENT_CALLS_PER_MINUTE, MINUTE_SECONDS } from './limits.ts';
import { nowSeconds } from './time.ts';

/** The window in which a client's calls are counted, over all operations together. */
export function callWindow(
  client: Client,
  application: Application | undefined,
): { readonly key: string; readonly windows: readonly SendWindow[] } {
  const max = application?.rateLimits?.callsPerMinute ?? CLIENT_CALLS_PER_MINUTE;
  return { key: `client#${client.clientId}`, windows: [{ seconds: MINUTE_SECONDS, max }] };
}

/** Counts a call whose caller only the operation itself can tell. Errors: `rate_limited`. */
export async function countCall(
  ports: { readonly windows: Windows },
  client: Client,
  application: Application | undefined,
  settings: { readonly rateLimits: 'on' | 'off' },
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { key, windows } = callWindow(client, application);
  const outcome = await ports.windows.count(key, windows, nowSeconds());
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}
