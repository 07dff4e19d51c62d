import { lambda } from '../../shared/aws/lambda.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import { loginPreferencesRecord } from '../../shared/domain/management/login-preferences-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getLoginPreferences as operation } from './rows.ts';

/** Shows which login methods an application has, and their settings. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const { loginPreferences = {} } = await requireApplication(ports, caller.tenant, path.appId);
  return { json: { result: loginPreferencesRecord(loginPreferences) } };
};
export const handler = lambda(operation, useCase);
