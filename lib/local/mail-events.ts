import type { MailEvent } from '../../functions/events/mail-events.ts';
import { log } from '../../shared/http/log.ts';
import { loadBackground } from './load-function.ts';

/** Like EventBridge: after the mail was accepted, without a caller that waits. */
export function handleMailEvent(event: MailEvent, load = loadBackground): void {
  load('mail-events')
    .then((handler) => handler(event))
    .catch((error: unknown) => {
      log('error', { event: 'mail_event_failed', name: error instanceof Error ? error.name : typeof error });
    });
}
