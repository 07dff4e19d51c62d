import { ServiceError } from '../../errors/service-error.ts';

/** Keeps lists and queries of a user's credentials small. Errors: `too_many_credentials`. */
export function requireRoom(present: readonly unknown[], max: number): void {
  if (present.length >= max) throw new ServiceError('too_many_credentials');
}
