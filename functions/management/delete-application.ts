import { deleteApplication } from '../../shared/domain/management/applications.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteApplication as operation } from '../rows/management.ts';

/** Deletes an application, its clients first, so that nobody gets a token any more. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.appId });
  await deleteApplication(ports, caller.tenant, path.appId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
