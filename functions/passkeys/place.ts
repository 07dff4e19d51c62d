import type { UserCaller } from '../../shared/operation.ts';
import type { Application, Applications, Tenant, Tenants } from '../../shared/ports/directory.ts';
import { invalidToken } from '../../shared/tokens/challenges.ts';

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
