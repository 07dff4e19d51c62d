import { lambda } from '../../shared/aws/lambda.ts';
import { createWebhook, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { createWebhook as operation } from './rows.ts';

/** Makes a webhook of the tenant, or of one of its applications. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const { webhook, secret } = await createWebhook(ports, caller.tenant, json);
  audit({ recordId: webhook.webhookId });
  return { json: { result: webhookRecord(webhook, secret) } };
};
export const handler = lambda(operation, useCase);
