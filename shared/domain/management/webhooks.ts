import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type {
  NewWebhookFields,
  Webhook,
  WebhookDelivery,
  WebhookFields,
  WebhookHealth,
  WebhookHealthRecord,
  WebhookRecord,
} from '../../ports/events.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { applyChanges, createRecord, toRecordView } from '../../records/record.ts';
import { webhookFields } from '../../records/webhook.ts';
import { changeRecord, requireRecordOfTenant } from '../basis/change-record.ts';
import { LIST_LIMIT_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { type LocalExceptions, readCalledUri } from '../basis/redirect-uri.ts';
import { toWireDate } from '../basis/time.ts';
import { toMessageId, toWebhookPayload, webhookSecret } from '../sending/webhook.ts';
import { requireApplication } from './applications.ts';

/** Number of secrets that sign deliveries at the same time: the new one and the previous one. */
const SIGNING_SECRETS = 2;
/** Pattern of a subscribed event type, such as `login.succeeded` or `login.*`. */
const EVENT = /^(?:[a-z_]+\.)?(?:[a-z_]+|\*)$/;

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export const toWebhookRecord = (webhook: Webhook, secret?: string): WebhookRecord =>
  toRecordView(webhookFields, { ...webhook, liveSecrets: webhook.secretVersions.length, secret });

function toHealthRecord(health: WebhookHealth | undefined): WebhookHealthRecord {
  if (health === undefined) return { state: 'unused' };
  const { lastAt, failingSince, status, error } = health;
  return {
    state: failingSince === undefined ? 'delivered' : 'failing',
    last_attempt_at: toWireDate(lastAt),
    ...(failingSince === undefined ? {} : { failing_since: toWireDate(failingSince) }),
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Returns a function that converts a webhook to its API representation, including the health of its deliveries. */
export async function withHealth(
  { webhookDeliveries }: PortsWith<'webhookDeliveries.healthOf'>,
  webhooks: readonly Webhook[],
  at: number,
): Promise<(webhook: Webhook) => WebhookRecord> {
  const ids = webhooks.map(({ webhookId }) => webhookId);
  const health = ids.length === 0 ? new Map() : await webhookDeliveries.healthOf(ids, at);
  return (webhook) => ({
    ...toWebhookRecord(webhook),
    health: toHealthRecord(health.get(webhook.webhookId)),
  });
}

function readEvents(given: readonly string[]): readonly string[] {
  given.forEach((event, index) => {
    if (!EVENT.test(event))
      throw invalidInput(`events.${index}: must be a type such as login.succeeded, or login.*`);
  });
  return [...new Set(given)];
}

/** Builds the validators of the fields of a webhook. Errors: `system_invalid_input`. */
const buildReaders = (localExceptions: LocalExceptions) => ({
  url: (url: string) => readCalledUri(url, 'url', localExceptions),
  events: readEvents,
});

const withNewestSecret = async (
  ports: PortsWith<'webhookMac'>,
  webhook: Webhook,
): Promise<WebhookWithSecret> => ({
  webhook,
  secret: await webhookSecret(ports, webhook.webhookId, Math.max(...webhook.secretVersions)),
});

/** Creates a webhook of the tenant, or of one of its applications. Errors: `system_invalid_input`, `application_not_found`. */
export async function createWebhook(
  ports: PortsWith<'webhookRecords.list' | 'webhookRecords.put' | 'applicationRecords.find' | 'webhookMac'>,
  { tenant, localExceptions }: { readonly tenant: Tenant; readonly localExceptions: LocalExceptions },
  fields: NewWebhookFields,
  at: number,
): Promise<WebhookWithSecret> {
  if (fields.app_id !== undefined) await requireApplication(ports, tenant, fields.app_id);
  const { items } = await ports.webhookRecords.list(tenant.tenantId, { limit: LIST_LIMIT_MAX });
  if (items.length >= LIST_LIMIT_MAX) throw invalidInput(`a tenant has at most ${LIST_LIMIT_MAX} webhooks`);
  const own = { webhookId: newId(), tenantId: tenant.tenantId, createdAt: at, updatedAt: at };
  const made = await withNewestSecret(
    ports,
    createRecord(webhookFields, own, fields, buildReaders(localExceptions)),
  );
  if (!(await ports.webhookRecords.put(made.webhook))) throw new Error('a fresh webhook ID is in use');
  return made;
}

/** Returns a webhook of the tenant. Errors: `webhook_not_found`. */
export function requireWebhook(
  ports: PortsWith<'webhookRecords.find'>,
  { tenantId }: Tenant,
  webhookId: string,
): Promise<Webhook> {
  return requireRecordOfTenant(ports.webhookRecords, tenantId, webhookId, 'webhook_not_found');
}

export function listWebhooks(
  ports: PortsWith<'webhookRecords.list'>,
  { tenantId }: Tenant,
  page: PageRequest,
): Promise<Page<Webhook>> {
  return ports.webhookRecords.list(tenantId, page);
}

/** Returns a webhook that is enabled. Errors: `webhook_not_found`, `system_invalid_input` if it is disabled. */
export async function requireEnabledWebhook(
  ports: PortsWith<'webhookRecords.find'>,
  tenant: Tenant,
  webhookId: string,
): Promise<Webhook> {
  const webhook = await requireWebhook(ports, tenant, webhookId);
  if (!webhook.enabled) throw invalidInput('enabled: the webhook is disabled');
  return webhook;
}

/** Returns a delivery of an enabled webhook. Errors: those of `requireEnabledWebhook`, `delivery_not_found`. */
export async function requireDelivery(
  ports: PortsWith<'webhookRecords.find' | 'webhookDeliveries.find'>,
  tenant: Tenant,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<WebhookDelivery> {
  await requireEnabledWebhook(ports, tenant, webhookId);
  const delivery = await ports.webhookDeliveries.find(webhookId, deliveryId);
  if (!delivery) throw new ServiceError('delivery_not_found');
  return delivery;
}

/** Payload fields that lists of deliveries mask. The webhook receiver gets their values; readers of a list do not need them. */
const MASKED: readonly string[] = ['source_address', 'ip_address', 'device_id', 'user_agent'];

/** Converts a delivery to its API representation, with personal data masked. */
export function toDeliveryRecord({ webhookId, deliveryId, event, attempts }: WebhookDelivery) {
  const { data, ...payload } = toWebhookPayload(event);
  const masked = Object.entries(data).map(([name, value]) => [name, MASKED.includes(name) ? '•••' : value]);
  return {
    delivery_id: deliveryId,
    message_id: toMessageId(webhookId, event.id),
    type: event.type,
    time: event.time,
    payload: { ...payload, data: Object.fromEntries(masked) as Readonly<Record<string, unknown>> },
    attempts: attempts.map(({ at, ...attempt }) => ({ at: toWireDate(at), ...attempt })),
  };
}

/** Applies the given fields to a webhook; leaves the other fields unchanged. Errors: `system_invalid_input`. */
export const applyWebhookFields = (
  current: Webhook,
  fields: WebhookFields,
  at: number,
  localExceptions: LocalExceptions,
): Webhook => ({
  ...applyChanges(webhookFields, current, fields, buildReaders(localExceptions)),
  updatedAt: at,
});

/** Changes the given fields of a webhook. Errors: `webhook_not_found`, `system_invalid_input`, `concurrent_change`. */
export function updateWebhook(
  ports: PortsWith<'webhookRecords.find' | 'webhookRecords.replace'>,
  {
    tenant,
    webhookId,
    localExceptions,
  }: { readonly tenant: Tenant; readonly webhookId: string; readonly localExceptions: LocalExceptions },
  fields: WebhookFields,
  at: number,
): Promise<Webhook> {
  return changeRecord(
    ports.webhookRecords,
    () => requireWebhook(ports, tenant, webhookId),
    (current) => applyWebhookFields(current, fields, at, localExceptions),
  );
}

/**
 * Adds a signing secret; the previous secret also signs until the next rotation. Errors: `webhook_not_found`,
 * `concurrent_change`.
 */
export async function rotateWebhookSecret(
  ports: PortsWith<'webhookRecords.find' | 'webhookRecords.replace' | 'webhookMac'>,
  tenant: Tenant,
  webhookId: string,
  at: number,
): Promise<WebhookWithSecret> {
  const webhook = await changeRecord(
    ports.webhookRecords,
    () => requireWebhook(ports, tenant, webhookId),
    (current) => ({
      ...current,
      secretVersions: [...current.secretVersions, Math.max(...current.secretVersions) + 1].slice(
        -SIGNING_SECRETS,
      ),
      updatedAt: at,
    }),
  );
  return withNewestSecret(ports, webhook);
}

/** Deletes a webhook. Errors: `webhook_not_found`. */
export async function deleteWebhook(
  ports: PortsWith<'webhookRecords.find' | 'webhookRecords.remove'>,
  tenant: Tenant,
  webhookId: string,
): Promise<void> {
  await requireWebhook(ports, tenant, webhookId);
  if (!(await ports.webhookRecords.remove(webhookId))) throw new ServiceError('webhook_not_found');
}
