import { ServiceError } from '../../errors/service-error.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { requireActive } from './user-status.ts';

/** The user of a pending login. Errors: `login_user_gone` when erased meanwhile, `user_not_active`. */
export async function requireLoginUser(
  ports: Using<'users.find'>,
  tenantId: string,
  userId: string,
): Promise<User> {
  const user = await ports.users.find(userId);
  if (!user || user.tenantId !== tenantId) throw new ServiceError('login_user_gone');
  return requireActive(user);
}
