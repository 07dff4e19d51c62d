import { identifiers, users } from '../../shared/aws/adapters.ts';
import { markUndeliverable } from '../../shared/domain/identifiers/undeliverable.ts';
import { log } from '../../shared/http/log.ts';
import type { OtherPorts } from '../background.ts';
import { deadAddresses, type MailEvent } from './mail-event.ts';

/** One client for the life of the container. */
let ports: OtherPorts<'mail-events'> | undefined;

/**
 * The function that hears what became of mails, by EventBridge. It fails as a whole when a table does not answer: Lambda
 * brings the event again, and a mark that stands stays as it is.
 */
export async function handler(event: MailEvent): Promise<void> {
  const context = { env: process.env };
  ports ??= { identifiers: identifiers(context), users: users(context) };
  for (const { tenantId, address, mark } of deadAddresses(event)) {
    const userId = await markUndeliverable(ports, { tenantId }, address, mark);
    log('info', {
      event: 'mail_undeliverable',
      reason: mark.reason,
      tenant_id: tenantId,
      ...(userId === undefined ? {} : { user_id: userId }),
    });
  }
}
