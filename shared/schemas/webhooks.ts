import * as v from 'valibot';
import { URI_MAX, WEBHOOK_EVENT_MAX, WEBHOOK_EVENTS_MAX } from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';

/** Webhooks; the command line reads its input by the same. */

const ID_MAX = 64;
const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const url = v.pipe(v.string(), v.minLength(1), maxCharacters(URI_MAX));
const date = v.pipe(v.string(), v.isoTimestamp());
const events = v.pipe(
  v.array(v.pipe(v.string(), maxCharacters(WEBHOOK_EVENT_MAX))),
  v.maxLength(WEBHOOK_EVENTS_MAX),
);

export const CreateWebhookBody = v.object({
  url,
  app_id: v.optional(id),
  events: v.optional(v.nullable(events)),
});
export type NewWebhookFields = v.InferOutput<typeof CreateWebhookBody>;
export const UpdateWebhookBody = v.object({
  url: v.optional(url),
  events: v.optional(v.nullable(events)),
  enabled: v.optional(v.nullable(v.boolean())),
});
export type WebhookFields = v.InferOutput<typeof UpdateWebhookBody>;
const WebhookRecord = v.object({
  webhook_id: v.string(),
  tenant_id: v.string(),
  app_id: v.optional(v.string()),
  url: v.string(),
  events: v.array(v.string()),
  enabled: v.boolean(),
  live_secrets: v.number(),
  /** Only in the answer that follows the making of the secret. */
  secret: v.optional(v.string()),
  created_at: date,
  updated_at: date,
});
export type WebhookRecord = v.InferOutput<typeof WebhookRecord>;
export const WebhookResponse = v.object({ result: WebhookRecord });
export const WebhookIdPath = v.object({ webhookId: id });
export const WebhookListResponse = v.object({
  result: v.array(WebhookRecord),
  next_cursor: v.optional(v.string()),
});
