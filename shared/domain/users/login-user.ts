import { ServiceError } from '../../errors/service-error.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { requireActive } from './user-status.ts';

/** Returns the user of a pending login. Errors: `login_user_gone` if the user was erased in the meantime, `user_not_active`. */
export async function requireLoginUser(
  ports: PortsWith<'users.find'>,
  tenantId: string,
  userId: string,
): Promise<User> {
  const user = await ports.users.find(userId);
  if (!user || user.tenantId !== tenantId) throw new ServiceError('login_user_gone');
  return requireActive(user);
}
