import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../../shared/http/log.ts';
import type { ProviderEvent } from './emulators/messages/provider-events.ts';
import { loadBackground } from './load-function.ts';

/** Pauses between attempts in milliseconds, shorter than those of Lambda, because local records are stored sooner. */
const PAUSES_MILLISECONDS = [300, 1000, 2000];

/**
 * Calls the function that handles an event of SES or SNS. Retries the call, because the event may arrive before our own record
 * of the message.
 */
export async function deliverProviderEvent(
  { entry, event }: ProviderEvent,
  load = loadBackground,
): Promise<void> {
  for (const pause of [...PAUSES_MILLISECONDS, undefined])
    try {
      await (await load(entry))(event);
      return;
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      if (pause === undefined) log('error', { event: 'provider_event_failed', name });
      else await delay(pause, undefined, { ref: false });
    }
}
