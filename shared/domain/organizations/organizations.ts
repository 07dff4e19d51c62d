import { ServiceError } from '../../errors/service-error.ts';
import type {
  NewOrganizationFields,
  Organization,
  OrganizationFields,
  OrganizationRecord,
  Page,
  PageRequest,
  Tenant,
} from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { organizationFields } from '../../records/organization.ts';
import { changedRecord, newRecord, shownRecord } from '../../records/record.ts';
import { changeRecord, everyItem, requireOwn } from '../basis/change-record.ts';
import { newId } from '../basis/random.ts';

/** An organization by its ID, and the tenant that it must belong to. */
export interface NamedOrganization {
  readonly tenant: Tenant;
  readonly organizationId: string;
}

export const organizationRecord = (organization: Organization): OrganizationRecord =>
  shownRecord(organizationFields, organization);

export async function createOrganization(
  ports: Using<'organizationRecords.put'>,
  { tenantId }: Tenant,
  fields: NewOrganizationFields,
  at: number,
): Promise<Organization> {
  const own = { organizationId: newId(), tenantId, createdAt: at, updatedAt: at };
  const organization = newRecord(organizationFields, own, fields);
  if (!(await ports.organizationRecords.put(organization)))
    throw new Error('a fresh organization ID is in use');
  return organization;
}

/** Errors: `organization_not_found`. */
export function requireOrganization(
  ports: Using<'organizationRecords.find'>,
  { tenantId }: Tenant,
  organizationId: string,
): Promise<Organization> {
  return requireOwn(ports.organizationRecords, tenantId, organizationId, 'organization_not_found');
}

export function listOrganizations(
  ports: Using<'organizationRecords.list'>,
  { tenantId }: Tenant,
  page: PageRequest,
): Promise<Page<Organization>> {
  return ports.organizationRecords.list(tenantId, page);
}

/** Errors: `organization_not_found`, `concurrent_change`. */
export function updateOrganization(
  ports: Using<'organizationRecords.find' | 'organizationRecords.replace'>,
  { tenant, organizationId }: NamedOrganization,
  fields: OrganizationFields,
  at: number,
): Promise<Organization> {
  return changeRecord(
    ports.organizationRecords,
    () => requireOrganization(ports, tenant, organizationId),
    (current) => ({ ...changedRecord(organizationFields, current, fields), updatedAt: at }),
  );
}

/** Deletes an organization with its memberships; the users stay. Errors: `organization_not_found`. */
export async function deleteOrganization(
  ports: Using<
    | 'organizationRecords.find'
    | 'organizationRecords.remove'
    | 'membershipRecords.listOfOrganization'
    | 'membershipRecords.remove'
  >,
  tenant: Tenant,
  organizationId: string,
): Promise<void> {
  await requireOrganization(ports, tenant, organizationId);
  const removeMembers = async () => {
    const members = everyItem((page) => ports.membershipRecords.listOfOrganization(organizationId, page));
    for await (const { userId } of members) await ports.membershipRecords.remove(userId, organizationId);
  };
  await removeMembers();
  if (!(await ports.organizationRecords.remove(organizationId)))
    throw new ServiceError('organization_not_found');
  // Members who came in meanwhile: the membership alone lets a user log in to an organization.
  await removeMembers();
}
