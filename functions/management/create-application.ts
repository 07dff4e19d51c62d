import { lambda } from '../../shared/aws/lambda.ts';
import { applicationRecord } from '../../shared/domain/management/application-record.ts';
import { createApplication } from '../../shared/domain/management/applications.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createApplication as operation } from './rows.ts';

/** Makes an application of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const application = await createApplication(ports, caller.tenant, json);
  audit({ recordId: application.applicationId });
  return { json: { result: applicationRecord(application) } };
};
export const handler = lambda(operation, useCase);
