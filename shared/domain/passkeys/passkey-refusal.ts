import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';

/** One answer for whatever is wrong with a passkey: a stranger learns nothing from trying. The log knows more. */
export function refusedPasskey(detail: Pick<ErrorDetail, 'audit' | 'cause'> = {}): ServiceError {
  return new ServiceError('passkey_invalid', detail);
}
