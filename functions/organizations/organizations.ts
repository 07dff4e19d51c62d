import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { withinCallTime } from '../../shared/domain/jobs/job.ts';
import * as organizations from '../../shared/domain/organizations/organizations.ts';
import { organizationRecord, requireOrganization } from '../../shared/domain/organizations/organizations.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

export const createOrganization: UseCase<typeof rows.createOrganization> = async (
  { json, caller, request, audit },
  ports,
) => {
  const organization = await organizations.createOrganization(ports, caller.tenant, json, request.now);
  audit({ recordId: organization.organizationId });
  return { json: { result: organizationRecord(organization) } };
};

export const listOrganizations: UseCase<typeof rows.listOrganizations> = async ({ query, caller }, ports) => {
  const page = await organizations.listOrganizations(ports, caller.tenant, readPageQuery(query));
  return { json: toListRecord(page, organizationRecord) };
};

export const getOrganization: UseCase<typeof rows.getOrganization> = async ({ path, caller }, ports) => {
  const organization = await requireOrganization(ports, caller.tenant, path.organizationId);
  return { json: { result: organizationRecord(organization) } };
};

export const updateOrganization: UseCase<typeof rows.updateOrganization> = async (
  { path, json, caller, request },
  ports,
) => {
  const named = { tenant: caller.tenant, ...path };
  const organization = await organizations.updateOrganization(ports, named, json, request.now);
  return { json: { result: organizationRecord(organization) } };
};

/**
 * Deletes an organization. Within a minute, logins to it are no longer possible, and refresh tokens of earlier logins are
 * rejected.
 */
export const deleteOrganization: UseCase<typeof rows.deleteOrganization> = async (
  { path, caller, settings, request },
  ports,
) => {
  const { organizationId } = path;
  const pace = withinCallTime(request.now, settings.jobCallSeconds);
  const isDone = await organizations.deleteOrganization(ports, caller.tenant, organizationId, pace);
  return { none: true, status: isDone ? 204 : 202 };
};
