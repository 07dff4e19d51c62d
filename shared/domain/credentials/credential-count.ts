import { ServiceError } from '../../errors/service-error.ts';

/**
 * Rejects a new credential if a user already has `max` credentials, to keep lists and queries small. Errors:
 * `too_many_credentials`.
 */
export function requireBelowLimit(present: readonly unknown[], max: number): void {
  if (present.length >= max) throw new ServiceError('too_many_credentials');
}
