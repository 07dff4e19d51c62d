import { lambda } from '../../shared/aws/lambda.ts';
import { applicationRecord } from '../../shared/domain/management/application-record.ts';
import { requireApplication } from '../../shared/domain/management/applications.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getApplication as operation } from './rows.ts';

/** Shows an application of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const application = await requireApplication(ports, caller.tenant, path.appId);
  return { json: { result: applicationRecord(application) } };
};
export const handler = lambda(operation, useCase);
