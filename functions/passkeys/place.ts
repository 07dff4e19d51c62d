import { requireUser } from '../../shared/domain/find-user.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../../shared/operation.ts';
import type { Application, Applications, Tenant, Tenants } from '../../shared/ports/directory.ts';
import type { User } from '../../shared/ports/people.ts';
import { invalidToken } from '../../shared/tokens/challenges.ts';
import { type OwnUserPorts, requireOwnUser } from '../../shared/tokens/own-user.ts';

/** Tenant and application of a user's token, as they are now. Errors: `invalid_token`. */
export async function placeOf(
  ports: { readonly tenants: Tenants; readonly applications: Applications },
  caller: UserCaller,
): Promise<{ readonly tenant: Tenant; readonly application: Application }> {
  const [tenant, application] = await Promise.all([
    ports.tenants.find(caller.tenantId),
    ports.applications.find(caller.applicationId),
  ]);
  if (!tenant || !application || application.tenantId !== tenant.tenantId) throw invalidToken();
  return { tenant, application };
}

/**
 * The user whose passkeys are asked for: with a user's token only their own, anybody else is as unknown as nobody.
 * Errors: `user_not_found`, `invalid_token`.
 */
export async function requirePasskeyOwner(
  ports: OwnUserPorts,
  caller: UserCaller | ClientCaller | AdminCaller,
  userId: string,
  settings: Settings,
): Promise<User> {
  if (caller.kind !== 'user') return requireUser(ports.users, caller.tenant, userId);
  const user = await requireOwnUser(ports, caller, settings);
  if (user.userId !== userId) throw new ServiceError('user_not_found');
  return user;
}
