import { lambda } from '../../shared/aws/lambda.ts';
import { deleteApplication } from '../../shared/domain/management/applications.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteApplication as operation } from './rows.ts';

/** Deletes an application, its clients first, so that nobody gets a token any more. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  await deleteApplication(ports, caller.tenant, path.appId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
