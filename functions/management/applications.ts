import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import { withinCallTime } from '../../shared/domain/jobs/job.ts';
import { toApplicationRecord } from '../../shared/domain/management/application-record.ts';
import * as applications from '../../shared/domain/management/applications.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { toLoginPreferencesRecord } from '../../shared/domain/management/login-preferences-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

export const createApplication: UseCase<typeof rows.createApplication> = async (
  { json, caller, request, audit },
  ports,
) => {
  const application = await applications.createApplication(ports, caller, json, request.now);
  audit({ recordId: application.applicationId });
  return { json: { result: toApplicationRecord(application) } };
};

export const listApplications: UseCase<typeof rows.listApplications> = async ({ query, caller }, ports) => {
  const page = await applications.listApplications(ports, caller.tenant, readPageQuery(query));
  return { json: toListRecord(page, toApplicationRecord) };
};

export const getApplication: UseCase<typeof rows.getApplication> = async ({ path, caller }, ports) => {
  const application = await requireApplication(ports, caller.tenant, path.appId);
  return { json: { result: toApplicationRecord(application) } };
};

/** Updates an application. Running functions apply the change within a minute. */
export const updateApplication: UseCase<typeof rows.updateApplication> = async (
  { path, json, caller, request },
  ports,
) => {
  const own = { tenant: caller.tenant, applicationId: path.appId };
  const application = await applications.updateApplication(ports, own, json, request.now);
  return { json: { result: toApplicationRecord(application) } };
};

/** Deletes an application with everything that belongs to it. If that takes too long for one call, a job completes it. */
export const deleteApplication: UseCase<typeof rows.deleteApplication> = async (
  { path, caller, settings, request },
  ports,
) => {
  const pace = withinCallTime(request.now, settings.jobCallSeconds);
  const isDone = await applications.deleteApplication(ports, caller.tenant, path.appId, pace);
  return { none: true, status: isDone ? 204 : 202 };
};

/** Returns the login methods of an application and their settings. */
export const getLoginPreferences: UseCase<typeof rows.getLoginPreferences> = async (
  { path, caller },
  ports,
) => {
  const { loginPreferences = {} } = await requireApplication(ports, caller.tenant, path.appId);
  return { json: { result: toLoginPreferencesRecord(loginPreferences) } };
};

/** Updates login methods of an application. Methods that are not given stay unchanged. */
export const updateLoginPreferences: UseCase<typeof rows.updateLoginPreferences> = async (
  { path, json, caller, request },
  ports,
) => {
  const own = { tenant: caller.tenant, applicationId: path.appId };
  const { loginPreferences = {} } = await applications.updateLoginPreferences(ports, own, json, request.now);
  return { json: { result: toLoginPreferencesRecord(loginPreferences) } };
};
