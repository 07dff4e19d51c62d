import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';

/** Returns the error for every invalid passkey. An attacker learns nothing from it; the reason is only in the log. */
export function invalidPasskeyError(detail: Pick<ErrorDetail, 'audit' | 'cause'> = {}): ServiceError {
  return new ServiceError('passkey_invalid', detail);
}
