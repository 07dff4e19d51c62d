import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';

/** One answer for every fault of a passkey, so that tries tell an attacker nothing. The log has the reason. */
export function refusedPasskey(detail: Pick<ErrorDetail, 'audit' | 'cause'> = {}): ServiceError {
  return new ServiceError('passkey_invalid', detail);
}
