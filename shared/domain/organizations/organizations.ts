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
import type { Job } from '../../ports/jobs.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { organizationFields } from '../../records/organization.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import { inBatches } from '../basis/await-all.ts';
import { changeRecord, requireRecordOfTenant } from '../basis/change-record.ts';
import { PARALLEL_WRITES } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { type JobPorts, newJob, processJobPages, runJob, type TimeLimit } from '../jobs/job.ts';

/** ID of an organization, with the tenant that it must belong to. */
export interface OrganizationName {
  readonly tenant: Tenant;
  readonly organizationId: string;
}

export const organizationRecord = (organization: Organization): OrganizationRecord =>
  toRecordView(organizationFields, organization);

export async function createOrganization(
  ports: PortsWith<'organizationRecords.put'>,
  { tenantId }: Tenant,
  fields: NewOrganizationFields,
  at: number,
): Promise<Organization> {
  const own = { organizationId: newId(), tenantId, createdAt: at, updatedAt: at };
  const organization = createRecord(organizationFields, own, fields);
  if (!(await ports.organizationRecords.put(organization)))
    throw new Error('a fresh organization ID is in use');
  return organization;
}

/** Finds an organization of the tenant. Throws `organization_not_found`. */
export function requireOrganization(
  ports: PortsWith<'organizationRecords.find'>,
  { tenantId }: Tenant,
  organizationId: string,
): Promise<Organization> {
  return requireRecordOfTenant(ports.organizationRecords, tenantId, organizationId, 'organization_not_found');
}

export function listOrganizations(
  ports: PortsWith<'organizationRecords.list'>,
  { tenantId }: Tenant,
  page: PageRequest,
): Promise<Page<Organization>> {
  return ports.organizationRecords.list(tenantId, page);
}

/** Changes an organization. Throws `organization_not_found` or `concurrent_change`. */
export function updateOrganization(
  ports: PortsWith<'organizationRecords.find' | 'organizationRecords.replace'>,
  { tenant, organizationId }: OrganizationName,
  fields: OrganizationFields,
  at: number,
): Promise<Organization> {
  return changeRecord(
    ports.organizationRecords,
    () => requireOrganization(ports, tenant, organizationId),
    (current) => ({ ...applyChanges(organizationFields, current, fields), updatedAt: at }),
  );
}

/**
 * Deletes an organization and then its memberships, which have no effect without it. The users stay. Returns false if a job
 * continues to delete memberships. Throws `organization_not_found`.
 */
export async function deleteOrganization(
  ports: DeletePorts & PortsWith<'jobs.put' | 'organizationRecords.remove'>,
  tenant: Tenant,
  organizationId: string,
  pace: TimeLimit,
): Promise<boolean> {
  await requireOrganization(ports, tenant, organizationId);
  const job = await ports.jobs.put(newJob('delete-organization', tenant, organizationId, pace.at));
  if (!(await ports.organizationRecords.remove(organizationId)))
    throw new ServiceError('organization_not_found');
  return removeMemberships(ports, job, pace);
}

type DeletePorts = JobPorts &
  PortsWith<'organizationRecords.find' | 'membershipRecords.listOfOrganization' | 'membershipRecords.remove'>;

/**
 * Deletes the remaining memberships of a deleted organization. Returns false if the time is up before all are deleted. Does
 * nothing if the organization was not deleted.
 */
export async function removeMemberships(ports: DeletePorts, job: Job, pace: TimeLimit): Promise<boolean> {
  const { subjectId: organizationId } = job;
  return runJob(ports, job, pace, async () => {
    if (await ports.organizationRecords.find(organizationId)) return true;
    return processJobPages(ports, job, pace, {
      list: (page) => ports.membershipRecords.listOfOrganization(organizationId, page),
      act: (members) =>
        inBatches(members, PARALLEL_WRITES, ({ userId }) =>
          ports.membershipRecords.remove(userId, organizationId),
        ),
    });
  });
}
