import { lambda } from '../../shared/aws/lambda.ts';
import { requireWebhook, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getWebhook as operation } from './rows.ts';

/** Shows a webhook. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.webhookId });
  return { json: { result: webhookRecord(await requireWebhook(ports, caller.tenant, path.webhookId)) } };
};
export const handler = lambda(operation, useCase);
