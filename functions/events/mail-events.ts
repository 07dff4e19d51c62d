import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { log } from '../../shared/http/log.ts';
import type { CreateBackground } from '../background.ts';
import { deadAddresses, type MailEvent } from './mail-event.ts';

/**
 * Marks undeliverable addresses of SES events. Rejects when a table does not answer: Lambda repeats the event, and an
 * existing mark stays unchanged.
 */
export const create: CreateBackground<'mail-events', MailEvent> = (ports) => async (event) => {
  for (const { tenantId, address, mark } of deadAddresses(event)) {
    const userId = await markUndeliverable(ports, { tenantId }, address, mark);
    log('info', {
      event: 'mail_undeliverable',
      reason: mark.reason,
      tenant_id: tenantId,
      ...(userId === undefined ? {} : { user_id: userId }),
    });
  }
};
