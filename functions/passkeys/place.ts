import { invalidInput } from '../../shared/errors/service-error.ts';
import type { ApplicationOfTenant } from '../../shared/ports/directory.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';

/**
 * Finds the tenant and the application of the client whose ID a page of the application sent.
 * @throws `system_invalid_input` if the client is unknown
 */
export async function requireApplicationOfClient(
  ports: PortsWith<'clients' | 'applications' | 'tenants'>,
  clientId: string,
): Promise<ApplicationOfTenant> {
  const client = await ports.clients.find(clientId);
  const [application, tenant] = await Promise.all([
    client?.applicationId === undefined ? undefined : ports.applications.find(client.applicationId),
    client && ports.tenants.find(client.tenantId),
  ]);
  if (!tenant || application?.tenantId !== tenant.tenantId) throw invalidInput('client_id: is unknown');
  return { tenant, application };
}
