import { applicationRecord } from '../../shared/domain/management/application-record.ts';
import { createApplication } from '../../shared/domain/management/applications.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createApplication as operation } from '../rows/management.ts';

/** Makes an application of the tenant. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const application = await createApplication(ports, caller.tenant, json);
  audit({ recordId: application.applicationId });
  return { json: { result: applicationRecord(application) } };
};
export const handler = lambda(operation, useCase);
