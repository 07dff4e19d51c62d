import { ServiceError } from '../../shared/errors/service-error.ts';
import type { SendReceipt } from '../../shared/ports/delivery.ts';

/**
 * Returns a receipt if the error of a sender function says that the notice may have been sent, so that the queue does not send
 * it again. The function may still report the delivery. Rethrows other errors. Errors of SES and SNS contain no message ID, so
 * their notice is sent again even if it may have been sent.
 */
export function acceptUnknown(error: unknown): SendReceipt {
  const { mayArrive, audit } = error instanceof ServiceError ? error.detail : {};
  if (!mayArrive || audit?.messageId === undefined) throw error;
  return { messageId: audit.messageId };
}
