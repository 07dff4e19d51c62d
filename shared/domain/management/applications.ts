import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application, ApplicationFields, Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Job } from '../../ports/jobs.ts';
import type { LoginPreferences } from '../../ports/login-preferences.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { applicationFields } from '../../records/application.ts';
import { createRecord } from '../../records/record.ts';
import { awaitAll } from '../basis/await-all.ts';
import { changeRecord, requireRecordOfTenant } from '../basis/change-record.ts';
import { APPLICATIONS_DEFAULT, DIRECTORY_CACHE_SECONDS } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import type { LocalExceptions } from '../basis/redirect-uri.ts';
import { nowSeconds } from '../basis/time.ts';
import { listOpenIdProviders } from '../credentials/login-preferences.ts';
import { CODES_KEPT_SECONDS } from '../identifiers/former-identifiers.ts';
import {
  concatenateLists,
  type JobPorts,
  newJob,
  processJobPages,
  type Removals,
  removals,
  runJob,
  type TimeLimit,
} from '../jobs/job.ts';
import { PROVIDERS } from '../social/provider.ts';
import { applyApplicationFields, listChangedRedirectUris } from './application-record.ts';
import { removeClient } from './clients.ts';
import { removeResource } from './resources.ts';

/** Rejects IDs that do not identify a resource of the tenant. A resource of one application cannot be shared with another. */
async function checkResources(
  ports: PortsWith<'resourceRecords.find'>,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> {
  const found = await Promise.all(ids.map((id) => ports.resourceRecords.find(id)));
  found.forEach((resource, index) => {
    if (resource?.tenantId !== tenant.tenantId || resource.applicationId !== undefined)
      throw invalidInput(`resources.${index}: is not the ID of a resource of the tenant`);
  });
}

/** Default login methods. SMS is off because every message is billed. */
const METHODS_DEFAULT: LoginPreferences = { link: {}, email: {}, passkey: {} };

interface Owner {
  readonly tenant: Tenant;
  /** Rules that the local server relaxes for these fields. HTTP requests never get such exceptions. */
  readonly localExceptions?: LocalExceptions;
}

interface OwnApplication extends Owner {
  readonly applicationId: string;
}

/**
 * Rejects a new application if the tenant's limit is reached. Concurrent requests can exceed the limit, because the
 * applications are counted before the write.
 */
async function requireRoom(
  { applicationRecords }: PortsWith<'applicationRecords.areAtLeast'>,
  { tenantId, maxApplications = APPLICATIONS_DEFAULT }: Tenant,
): Promise<void> {
  if (await applicationRecords.areAtLeast(tenantId, maxApplications))
    throw invalidInput(`the tenant has at most ${maxApplications} applications`);
}

/** Creates an application of a tenant. Errors: `system_invalid_input`. */
export async function createApplication(
  ports: PortsWith<'applicationRecords.put' | 'applicationRecords.areAtLeast' | 'resourceRecords.find'>,
  { tenant, localExceptions }: Owner,
  fields: ApplicationFields & { readonly name: string },
  at: number,
): Promise<Application> {
  const own = {
    applicationId: newId(),
    tenantId: tenant.tenantId,
    createdAt: at,
    ...(fields.login_preferences === undefined ? { loginPreferences: METHODS_DEFAULT } : {}),
  };
  const blank = createRecord(applicationFields, own, { name: fields.name });
  // A new application has no users who trust its pages yet, so its links may point to its own redirect URIs immediately.
  const begun = { ...blank, redirectUris: listChangedRedirectUris(blank, fields) };
  const application = applyApplicationFields(begun, fields, at, localExceptions);
  await awaitAll(requireRoom(ports, tenant), checkResources(ports, tenant, application.resourceIds));
  if (!(await ports.applicationRecords.put(application))) throw new Error('a fresh application ID is in use');
  return application;
}

/** Returns an application of the tenant. Errors: `application_not_found`. */
export function requireApplication(
  ports: PortsWith<'applicationRecords.find'>,
  { tenantId }: Tenant,
  applicationId: string,
): Promise<Application> {
  return requireRecordOfTenant(ports.applicationRecords, tenantId, applicationId, 'application_not_found');
}

export function listApplications(
  ports: PortsWith<'applicationRecords.list'>,
  { tenantId }: Tenant,
  page: PageRequest,
): Promise<Page<Application>> {
  return ports.applicationRecords.list(tenantId, page);
}

/** Deletes the client secrets of the OpenID providers that a change has removed from an application. */
export async function removeFormerSecrets(
  ports: PortsWith<'providerSecretRecords.remove'>,
  former: Application,
  changed: Application,
): Promise<void> {
  const kept = listOpenIdProviders(changed);
  for (const provider of listOpenIdProviders(former))
    if (!kept.includes(provider)) await ports.providerSecretRecords.remove(changed.applicationId, provider);
}

/**
 * Changes the given fields of an application. Deletes the client secrets of OpenID providers that the change removes. Errors:
 * `application_not_found`, `system_invalid_input`, `concurrent_change`.
 */
export async function updateApplication(
  ports: PortsWith<
    | 'applicationRecords.find'
    | 'applicationRecords.replace'
    | 'resourceRecords.find'
    | 'providerSecretRecords.remove'
  >,
  { tenant, applicationId, localExceptions }: OwnApplication,
  fields: ApplicationFields,
  at: number,
): Promise<Application> {
  let former: Application | undefined;
  const changed = await changeRecord(
    ports.applicationRecords,
    () => requireApplication(ports, tenant, applicationId),
    async (current) => {
      former = current;
      const next = applyApplicationFields(current, fields, at, localExceptions);
      const added = next.resourceIds.filter((id) => !current.resourceIds.includes(id));
      await checkResources(ports, tenant, added);
      return next;
    },
  );
  if (former) await removeFormerSecrets(ports, former, changed);
  return changed;
}

/** Changes the hosts confirmed by operators for links on hosted pages. Errors: `application_not_found`, `concurrent_change`. */
export function changeLinkHosts(
  ports: PortsWith<'applicationRecords.find' | 'applicationRecords.replace'>,
  { tenant, applicationId }: OwnApplication,
  change: (hosts: readonly string[]) => readonly string[],
  at: number,
): Promise<Application> {
  return changeRecord(
    ports.applicationRecords,
    () => requireApplication(ports, tenant, applicationId),
    (current) => ({ ...current, linkHosts: change(current.linkHosts ?? []), updatedAt: at }),
  );
}

/** Changes only the login methods. Errors: `application_not_found`, `system_invalid_input`, `concurrent_change`. */
export function updateLoginPreferences(
  ports: PortsWith<'applicationRecords.find' | 'applicationRecords.replace'>,
  { tenant, applicationId }: OwnApplication,
  login_preferences: ApplicationFields['login_preferences'],
  at: number,
): Promise<Application> {
  return changeRecord(
    ports.applicationRecords,
    () => requireApplication(ports, tenant, applicationId),
    (current) => applyApplicationFields(current, { login_preferences }, at),
  );
}

type RemovePorts = JobPorts &
  PortsWith<
    | 'applicationRecords.find'
    | 'clientRecords.list'
    | 'clientRecords.remove'
    | 'resourceRecords.list'
    | 'resourceRecords.remove'
    | 'resourceRecords.releaseUri'
    | 'uriOwners.reserveUntil'
    | 'webhookRecords.list'
    | 'webhookRecords.remove'
    | 'windowRecords.announce'
  >;

/**
 * Deletes an application with its secrets for social providers, its clients (whose tokens become invalid immediately), its
 * resources and its webhooks. Keeps the application's ID, because erasing a user must find the user's rate-limit windows for
 * messages. The users remain, because they belong to the tenant. Returns false if a job continues the work. Errors:
 * `application_not_found`.
 */
export async function deleteApplication(
  ports: RemovePorts &
    PortsWith<
      | 'applicationRecords.remove'
      | 'formerApplications.remember'
      | 'formerIssuers.remove'
      | 'jobs.put'
      | 'providerSecretRecords.remove'
    >,
  tenant: Tenant,
  applicationId: string,
  pace: TimeLimit,
): Promise<boolean> {
  const application = await requireApplication(ports, tenant, applicationId);
  const job = await ports.jobs.put(newJob('delete-application', tenant, applicationId, pace.at));
  for (const provider of [...PROVIDERS, ...listOpenIdProviders(application)])
    await ports.providerSecretRecords.remove(applicationId, provider);
  await ports.formerIssuers.remove(applicationId);
  // For the cache time, other functions may still know the application and send codes for it.
  const until = nowSeconds() + DIRECTORY_CACHE_SECONDS + CODES_KEPT_SECONDS;
  await ports.formerApplications.remember(tenant.tenantId, applicationId, until);
  if (!(await ports.applicationRecords.remove(applicationId)))
    throw new ServiceError('application_not_found');
  return removeApplicationData(ports, job, pace);
}

/**
 * Removes the remaining records of a deleted application. Returns false if the time is up. Does nothing if the application
 * still exists.
 */
export async function removeApplicationData(ports: RemovePorts, job: Job, pace: TimeLimit): Promise<boolean> {
  const { tenantId, subjectId: applicationId } = job;
  const isOwn = (record: { readonly applicationId?: string }) => record.applicationId === applicationId;
  const lists: readonly Removals[] = [
    removals(
      (page) => ports.clientRecords.list(applicationId, page),
      ({ clientId }) => removeClient(ports, clientId),
    ),
    removals(
      (page) => ports.resourceRecords.list(tenantId, page),
      async (resource) => isOwn(resource) && removeResource(ports, resource),
    ),
    removals(
      (page) => ports.webhookRecords.list(tenantId, page),
      async (webhook) => isOwn(webhook) && ports.webhookRecords.remove(webhook.webhookId),
    ),
  ];
  return runJob(ports, job, pace, async () => {
    if (await ports.applicationRecords.find(applicationId)) return true;
    return processJobPages(ports, job, pace, concatenateLists(lists));
  });
}
