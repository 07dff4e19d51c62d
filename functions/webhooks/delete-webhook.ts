import { lambda } from '../../shared/aws/lambda.ts';
import { deleteWebhook } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { deleteWebhook as operation } from './rows.ts';

/** Deletes a webhook. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.webhookId });
  await deleteWebhook(ports, caller.tenant, path.webhookId);
  return { none: true };
};
export const handler = lambda(operation, useCase);
