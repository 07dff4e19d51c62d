import type { UserCaller } from '../../shared/operation.ts';
import type { Application, Tenant } from '../../shared/ports/directory.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { invalidToken } from '../../shared/tokens/challenges.ts';

/** Tenant and application of a user's token, as they are now. Errors: `invalid_token`. */
export async function placeOf(
  ports: Using<'tenants' | 'applications'>,
  caller: UserCaller,
): Promise<{ readonly tenant: Tenant; readonly application: Application }> {
  const [tenant, application] = await Promise.all([
    ports.tenants.find(caller.tenantId),
    ports.applications.find(caller.applicationId),
  ]);
  if (!tenant || !application || application.tenantId !== tenant.tenantId) throw invalidToken();
  return { tenant, application };
}
