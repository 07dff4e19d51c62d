import { lambda } from '../../shared/aws/lambda.ts';
import { updateLoginPreferences } from '../../shared/domain/management/applications.ts';
import { loginPreferencesRecord } from '../../shared/domain/management/login-preferences-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateLoginPreferences as operation } from './rows.ts';

/** Sets login methods of an application; those that are not given stay as they are. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const { loginPreferences = {} } = await updateLoginPreferences(ports, caller.tenant, path.appId, json);
  return { json: { result: loginPreferencesRecord(loginPreferences) } };
};
export const handler = lambda(operation, useCase);
