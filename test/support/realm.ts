import { randomBytes } from 'node:crypto';
import { newId } from '../../shared/domain/random.ts';
import type { Application, Client } from '../../shared/ports/directory.ts';
import type { Membership } from '../../shared/ports/people.ts';
import { type ClientWithSecret, storeClient } from './authorized.ts';
import { someApplication, someMembership, someOrganization, someTenant } from './records.ts';
import type { World } from './world.ts';

/** Applications and tenants beside the demo's. */

export interface StoredApplication extends ClientWithSecret {
  readonly application: Application;
}

/** An application with a client; of the demo tenant, with the demo application's redirect URIs and methods, or as changed. */
export async function storeApplication(
  world: World,
  change: Partial<Application> = {},
  clientChange: Partial<Client> = {},
): Promise<StoredApplication> {
  const { applicationRecords } = await world.ports(['applicationRecords']);
  const application = someApplication({
    tenantId: world.environment.tenant_id,
    redirectUris: world.environment.redirect_uris,
    loginPreferences: { link: {}, email: {}, sms: {} },
    ...change,
  });
  await applicationRecords.put(application);
  const { tenantId, applicationId } = application;
  return { application, ...(await storeClient(world, { tenantId, applicationId, ...clientChange })) };
}

/** A tenant of its own, with an application and a client. */
export async function storeTenant(
  world: World,
  change: Partial<Application> = {},
): Promise<StoredApplication> {
  const { tenantRecords } = await world.ports(['tenantRecords']);
  const tenant = someTenant({ tenantId: newId(), salt: randomBytes(32).toString('base64url') });
  await tenantRecords.put(tenant);
  return storeApplication(world, { tenantId: tenant.tenantId, ...change });
}

/** A membership, of the demo tenant unless another is named, in an organization that exists. */
export async function storeMember(world: World, change: Partial<Membership>): Promise<Membership> {
  const ports = await world.ports(['organizationRecords', 'membershipRecords']);
  const membership = someMembership({ tenantId: world.environment.tenant_id, ...change });
  const { organizationId, tenantId } = membership;
  await ports.organizationRecords.put(someOrganization({ organizationId, tenantId }));
  await ports.membershipRecords.put(membership);
  return membership;
}
