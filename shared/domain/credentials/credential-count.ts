import { ServiceError } from '../../errors/service-error.ts';

/** So that what is listed and queried with a user stays small. Errors: `too_many_credentials`. */
export function requireRoom(present: readonly unknown[], max: number): void {
  if (present.length >= max) throw new ServiceError('too_many_credentials');
}
