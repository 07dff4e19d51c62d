import * as v from 'valibot';
import { URI_MAX, WEBHOOK_EVENT_MAX, WEBHOOK_EVENTS_MAX } from '../domain/basis/limits.ts';
import { described, doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { dates, field, id, listOf, resultOf, shown, tenantId, uri } from './fields/record.ts';

/** Webhooks; the command line reads its input by the same. */

const webhookId = doc('ID of the webhook.', '3xh0t7m9w1qz5kd8v2rcb6nyp');
const address = doc(
  `Public \`https\` address that takes the events by POST. At most ${URI_MAX} characters.`,
  'https://shop.example.com/hooks/logins',
);
const applicationId = doc(
  'ID of the application that the events are of. Absent: those of the whole tenant.',
  '1c7r5zk0v3x9qmd2w8htb4nyp',
);
const eventTypes = doc(
  `Types of events such as \`login.failed\`, or \`user.*\` for all that begin alike; none: all events. At most ${WEBHOOK_EVENTS_MAX} of ${WEBHOOK_EVENT_MAX} characters.`,
  ['login.failed', 'user.*'],
);
const enabled = doc('Whether events are posted (default: true); null stops them.', true);
const events = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      maxCharacters(WEBHOOK_EVENT_MAX),
      v.metadata({ pattern: '^(?:[a-z_]+\\.)?(?:[a-z_]+|\\*)$' }),
    ),
  ),
  v.maxLength(WEBHOOK_EVENTS_MAX),
);

export const CreateWebhookBody = v.object({
  url: described(uri, address),
  app_id: shown(id, applicationId),
  events: field(events, eventTypes),
});
export type NewWebhookFields = v.InferOutput<typeof CreateWebhookBody>;
export const UpdateWebhookBody = v.object({
  url: shown(uri, address),
  events: field(events, eventTypes),
  enabled: field(v.boolean(), enabled),
});
export type WebhookFields = v.InferOutput<typeof UpdateWebhookBody>;
export const WebhookRecord = described(
  v.object({
    webhook_id: described(v.string(), webhookId),
    tenant_id: described(v.string(), tenantId),
    app_id: shown(v.string(), applicationId),
    url: described(v.string(), address),
    events: described(v.array(v.string()), eventTypes),
    enabled: described(v.boolean(), enabled),
    live_secrets: described(
      v.number(),
      doc('How many secrets sign: two from the first rotation on, so that receivers can change over.', 1),
    ),
    secret: shown(
      v.string(),
      doc(
        'Key of the signatures (Standard Webhooks), only in the answer that made it.',
        'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgh6Z4xhU=',
      ),
    ),
    ...dates,
  }),
  doc('An address that security events of a tenant or an application are posted to.'),
);
export type WebhookRecord = v.InferOutput<typeof WebhookRecord>;
export const WebhookResponse = resultOf(WebhookRecord);
export const WebhookIdPath = v.object({ webhookId: described(id, webhookId) });
export const WebhookListResponse = listOf(WebhookRecord);
