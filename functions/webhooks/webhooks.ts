import { listRecord, readPageQuery } from '../../shared/domain/basis/paging.ts';
import * as webhooks from '../../shared/domain/management/webhooks.ts';
import {
  deliveryRecord,
  requireDelivery,
  requirePosting,
  requireWebhook,
  rotateWebhookSecret,
  webhookRecord,
} from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a webhook of the tenant or of one of its applications. */
export const createWebhook: UseCase<typeof rows.createWebhook> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const owner = { tenant: caller.tenant, leave: settings };
  const { webhook, secret } = await webhooks.createWebhook(ports, owner, json, request.now);
  audit({ recordId: webhook.webhookId });
  return { json: { result: webhookRecord(webhook, secret) } };
};

/** Lists the webhooks of the tenant. */
export const listWebhooks: UseCase<typeof rows.listWebhooks> = async ({ query, caller }, ports) => {
  const page = await webhooks.listWebhooks(ports, caller.tenant, readPageQuery(query));
  return { json: listRecord(page, (webhook) => webhookRecord(webhook)) };
};

/** Shows a webhook. */
export const getWebhook: UseCase<typeof rows.getWebhook> = async ({ path, caller }, ports) => {
  return { json: { result: webhookRecord(await requireWebhook(ports, caller.tenant, path.webhookId)) } };
};

/** Changes a webhook, effective with the next event. */
export const updateWebhook: UseCase<typeof rows.updateWebhook> = async (
  { path, json, caller, request, settings },
  ports,
) => {
  const named = { tenant: caller.tenant, leave: settings, ...path };
  const webhook = await webhooks.updateWebhook(ports, named, json, request.now);
  return { json: { result: webhookRecord(webhook) } };
};

/** Deletes a webhook. */
export const deleteWebhook: UseCase<typeof rows.deleteWebhook> = async ({ path, caller }, ports) => {
  await webhooks.deleteWebhook(ports, caller.tenant, path.webhookId);
  return { none: true };
};

/** Adds a secret. Both it and the former one sign posts. */
export const addWebhookSecret: UseCase<typeof rows.addWebhookSecret> = async (
  { path, caller, request },
  ports,
) => {
  const { webhook, secret } = await rotateWebhookSecret(ports, caller.tenant, path.webhookId, request.now);
  return { json: { result: webhookRecord(webhook, secret) } };
};

/** Lists what was posted to a webhook. */
export const listWebhookDeliveries: UseCase<typeof rows.listWebhookDeliveries> = async (
  { path, query, caller },
  ports,
) => {
  await requireWebhook(ports, caller.tenant, path.webhookId);
  const page = await ports.webhookDeliveries.list(path.webhookId, readPageQuery(query));
  return { json: listRecord(page, deliveryRecord) };
};

/** Has a test event posted: the event of this call, which only this webhook wants. */
export const testWebhook: UseCase<typeof rows.testWebhook> = async ({ path, caller }, ports) => {
  await requirePosting(ports, caller.tenant, path.webhookId);
  return { none: true };
};

/** Has an event posted again: the event of this call is the order. */
export const sendWebhookAgain: UseCase<typeof rows.sendWebhookAgain> = async (
  { path, caller, audit },
  ports,
) => {
  const { deliveryId } = await requireDelivery(ports, caller.tenant, path);
  audit({ deliveryId });
  return { none: true };
};
