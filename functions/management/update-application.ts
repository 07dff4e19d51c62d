import { lambda } from '../../shared/aws/lambda.ts';
import { applicationRecord } from '../../shared/domain/management/application-record.ts';
import { updateApplication } from '../../shared/domain/management/applications.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateApplication as operation } from './rows.ts';

/** Changes an application: running functions know of it within a minute. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  const application = await updateApplication(ports, caller.tenant, path.appId, json);
  return { json: { result: applicationRecord(application) } };
};
export const handler = lambda(operation, useCase);
