import { updateApplication } from '../../shared/domain/management/applications.ts';
import { loginPreferencesRecord } from '../../shared/domain/management/login-preferences-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateLoginPreferences as operation } from '../rows/management.ts';

/** Sets login methods of an application; those that are not given stay as they are. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const fields = { login_preferences: json };
  const { loginPreferences = {} } = await updateApplication(ports, caller.tenant, path.appId, fields);
  return { json: { result: loginPreferencesRecord(loginPreferences) } };
};
export const handler = lambda(operation, useCase);
