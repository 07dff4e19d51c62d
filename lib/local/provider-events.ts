import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../../shared/http/log.ts';
import type { ProviderEvent } from './emulators/messages/provider-events.ts';
import { loadBackground } from './load-function.ts';

/** Shorter than those of Lambda: the line of a send is filed within a second. */
const PAUSES_MILLISECONDS = [300, 1000, 2000];

/** Like EventBridge and CloudWatch Logs: after the message was accepted, without a caller that waits. */
export async function handleProviderEvent(
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
