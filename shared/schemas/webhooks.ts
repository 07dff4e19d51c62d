import * as v from 'valibot';
import { URI_MAX, WEBHOOK_EVENT_MAX, WEBHOOK_EVENTS_MAX } from '../domain/basis/limits.ts';
import { webhookFields } from '../records/webhook.ts';
import { described, doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf } from './fields/of-record.ts';
import { id, listOf, resultOf, tenantId, uri } from './fields/record.ts';

const webhookId = doc('ID of the webhook.', '3xh0t7m9w1qz5kd8v2rcb6nyp');
const event = v.pipe(
  v.string(),
  maxCharacters(WEBHOOK_EVENT_MAX),
  v.metadata({ pattern: '^(?:[a-z_]+\\.)?(?:[a-z_]+|\\*)$' }),
);
const webhook = schemasOf(webhookFields, {
  webhookId,
  tenantId,
  applicationId: [
    id,
    doc(
      'ID of the application that the events are of. Absent: those of the whole tenant.',
      '1c7r5zk0v3x9qmd2w8htb4nyp',
    ),
  ],
  url: [
    uri,
    doc(
      `Public \`https\` address that takes the events by POST. At most ${URI_MAX} characters.`,
      'https://shop.example.com/hooks/logins',
    ),
  ],
  events: [
    v.pipe(v.array(event), v.maxLength(WEBHOOK_EVENTS_MAX)),
    doc(
      `Types of events such as \`login.failed\`, or \`user.*\` for all that begin alike; none: all events. At most ${WEBHOOK_EVENTS_MAX} of ${WEBHOOK_EVENT_MAX} characters.`,
      ['login.failed', 'user.*'],
    ),
  ],
  enabled: doc('Whether events are posted (default: true); null stops them.', true),
  liveSecrets: doc(
    'How many secrets sign: two from the first rotation on, so that receivers can change over.',
    1,
  ),
  secret: doc(
    'Key of the signatures (Standard Webhooks), only in the answer that made it.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgh6Z4xhU=',
  ),
});
export const { create: CreateWebhookBody, update: UpdateWebhookBody } = webhook;
export const WebhookRecord = described(
  webhook.record,
  doc('An address that security events of a tenant or an application are posted to.'),
);
export const WebhookResponse = resultOf(WebhookRecord);
export const WebhookIdPath = v.object({ webhookId: described(id, webhookId) });
export const WebhookListResponse = listOf(WebhookRecord);
