import { ServiceError } from '../../shared/errors/service-error.ts';
import type { SendReceipt } from '../../shared/ports/delivery.ts';

/**
 * Returns the receipt of a notice whose outcome its sender function does not know. The notice may have arrived, so the queue
 * must not send it again; the function may still report its delivery. Other errors are thrown. SES and SNS give no message ID
 * with such an error, so their notices are sent again.
 */
export function acceptUnknown(error: unknown): SendReceipt {
  const { mayArrive, audit } = error instanceof ServiceError ? error.detail : {};
  if (!mayArrive || audit?.messageId === undefined) throw error;
  return { messageId: audit.messageId };
}
