import { lambda } from '../../shared/aws/lambda.ts';
import { rotateWebhookSecret, webhookRecord } from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import { addWebhookSecret as operation } from './rows.ts';

/** Adds a secret: posts are signed with it and with the one before. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ recordId: path.webhookId });
  const { webhook, secret } = await rotateWebhookSecret(ports, caller.tenant, path.webhookId);
  return { json: { result: webhookRecord(webhook, secret) } };
};
export const handler = lambda(operation, useCase);
