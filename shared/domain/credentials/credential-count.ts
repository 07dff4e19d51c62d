import { ServiceError } from '../../errors/service-error.ts';

/** Rejects another credential if a user has `max` or more, to keep lists and queries small. Errors: `too_many_credentials`. */
export function requireBelowLimit(present: readonly unknown[], max: number): void {
  if (present.length >= max) throw new ServiceError('too_many_credentials');
}
