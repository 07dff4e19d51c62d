import { ServiceError } from '../../shared/errors/service-error.ts';
import type { SendReceipt } from '../../shared/ports/delivery.ts';

/**
 * Returns a receipt for an error that says that a notice may have been sent. The queue must then not send the notice again; the
 * sender function may still report its delivery. Rethrows other errors. If SES or SNS may have sent a notice, their error
 * contains no message ID, so the notice is sent again.
 */
export function acceptUnknown(error: unknown): SendReceipt {
  const { mayArrive, audit } = error instanceof ServiceError ? error.detail : {};
  if (!mayArrive || audit?.messageId === undefined) throw error;
  return { messageId: audit.messageId };
}
