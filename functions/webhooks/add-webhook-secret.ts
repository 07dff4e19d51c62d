import { rotateWebhookSecret, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { addWebhookSecret as operation } from '../rows/webhooks.ts';

/** Adds a secret: posts are signed with it and with the one before. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.webhookId });
  const { webhook, secret } = await rotateWebhookSecret(ports, caller.tenant, path.webhookId);
  return { json: { result: webhookRecord(webhook, secret) } };
};
export const handler = lambda(operation, useCase);
