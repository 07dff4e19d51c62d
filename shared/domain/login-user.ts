import { ServiceError } from '../errors/service-error.ts';
import type { User, Users } from '../ports/people.ts';
import { requireActive } from './user-status.ts';

/** The user whom a pending login names. Errors: `login_user_gone` when erased meanwhile, `user_not_active`. */
export async function requireLoginUser(
  ports: { readonly users: Users },
  tenantId: string,
  userId: string,
): Promise<User> {
  const user = await ports.users.find(userId);
  if (!user || user.tenantId !== tenantId) throw new ServiceError('login_user_gone');
  return requireActive(user);
}
