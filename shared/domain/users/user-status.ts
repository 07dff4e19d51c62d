import { ServiceError } from '../../errors/service-error.ts';
import type { User } from '../../ports/people.ts';

/** A user who is disabled can neither be sent a credential nor log in. Errors: `user_not_active`. */
export function requireActive(user: User): User {
  if (user.status === 'Disabled') throw new ServiceError('user_not_active');
  return user;
}
