import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import * as webhooks from '../../shared/domain/management/webhooks.ts';
import {
  requireDelivery,
  requireEnabledWebhook,
  requireWebhook,
  rotateWebhookSecret,
  toDeliveryRecord,
  toWebhookRecord,
  withHealth,
} from '../../shared/domain/management/webhooks.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Creates a webhook of the tenant or of one of its applications. */
export const createWebhook: UseCase<typeof rows.createWebhook> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const owner = { tenant: caller.tenant, localExceptions: settings };
  const { webhook, secret } = await webhooks.createWebhook(ports, owner, json, request.now);
  audit({ recordId: webhook.webhookId });
  return { json: { result: toWebhookRecord(webhook, secret) } };
};

export const listWebhooks: UseCase<typeof rows.listWebhooks> = async ({ query, caller, request }, ports) => {
  const page = await webhooks.listWebhooks(ports, caller.tenant, readPageQuery(query));
  return { json: toListRecord(page, await withHealth(ports, page.items, request.now)) };
};

/** Returns a webhook without its secrets, with its health. */
export const getWebhook: UseCase<typeof rows.getWebhook> = async ({ path, caller, request }, ports) => {
  const webhook = await requireWebhook(ports, caller.tenant, path.webhookId);
  const toRecord = await withHealth(ports, [webhook], request.now);
  return { json: { result: toRecord(webhook) } };
};

/** Updates a webhook. The change takes effect with the next event. */
export const updateWebhook: UseCase<typeof rows.updateWebhook> = async (
  { path, json, caller, request, settings },
  ports,
) => {
  const named = { tenant: caller.tenant, localExceptions: settings, ...path };
  const webhook = await webhooks.updateWebhook(ports, named, json, request.now);
  return { json: { result: toWebhookRecord(webhook) } };
};

export const deleteWebhook: UseCase<typeof rows.deleteWebhook> = async ({ path, caller }, ports) => {
  await webhooks.deleteWebhook(ports, caller.tenant, path.webhookId);
  return { none: true };
};

/** Adds a webhook secret. The new secret and the previous secret both sign events. */
export const addWebhookSecret: UseCase<typeof rows.addWebhookSecret> = async (
  { path, caller, request },
  ports,
) => {
  const { webhook, secret } = await rotateWebhookSecret(ports, caller.tenant, path.webhookId, request.now);
  return { json: { result: toWebhookRecord(webhook, secret) } };
};

/** Lists the events that were posted to a webhook, with their attempts. */
export const listWebhookDeliveries: UseCase<typeof rows.listWebhookDeliveries> = async (
  { path, query, caller },
  ports,
) => {
  await requireWebhook(ports, caller.tenant, path.webhookId);
  const page = await ports.webhookDeliveries.list(path.webhookId, readPageQuery(query));
  return { json: toListRecord(page, toDeliveryRecord) };
};

/** Requests a test event. The audit event of this call is the test event, and only this webhook receives it. */
export const testWebhook: UseCase<typeof rows.testWebhook> = async ({ path, caller }, ports) => {
  await requireEnabledWebhook(ports, caller.tenant, path.webhookId);
  return { none: true };
};

/** Requests redelivery of an event. The audit event of this call triggers the worker. */
export const sendWebhookAgain: UseCase<typeof rows.sendWebhookAgain> = async (
  { path, caller, audit },
  ports,
) => {
  const { deliveryId } = await requireDelivery(ports, caller.tenant, path);
  audit({ deliveryId });
  return { none: true };
};
