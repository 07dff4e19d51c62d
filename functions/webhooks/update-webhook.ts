import { lambda } from '../../shared/aws/lambda.ts';
import { updateWebhook, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { updateWebhook as operation } from './rows.ts';

/** Changes a webhook; the next event goes by what it says then. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ recordId: path.webhookId });
  const webhook = await updateWebhook(ports, caller.tenant, path.webhookId, json);
  return { json: { result: webhookRecord(webhook) } };
};
export const handler = lambda(operation, useCase);
