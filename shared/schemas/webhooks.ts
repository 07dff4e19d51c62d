import * as v from 'valibot';
import { URI_MAX, WEBHOOK_EVENT_MAX, WEBHOOK_EVENTS_MAX } from '../domain/basis/limits.ts';
import { webhookFields } from '../records/webhook.ts';
import { described, doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf } from './fields/of-record.ts';
import { date, id, listOf, resultOf, shown, tenantId, textUpTo, uri } from './fields/record.ts';

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
const TIME = '2026-11-28T09:30:00.000Z';
const DELIVERY_ID_MAX = 128;
const deliveryId = doc('ID of the delivery: the same for each attempt.', '1795858200000-msg_5Nq0c1f7W3s');

export const DeliveryPath = v.object({
  webhookId: described(id, webhookId),
  deliveryId: described(textUpTo(DELIVERY_ID_MAX), deliveryId),
});

const attempt = v.object({
  at: described(date, doc('When it was posted (RFC 3339, UTC).', TIME)),
  attempt: described(v.number(), doc('Its number, from 1; anew where the event was sent again.', 1)),
  status: shown(v.number(), doc('Status of the answer; 2xx ends the attempts.', 204)),
  error: shown(v.string(), doc('Name of the error where there was no answer.', 'TimeoutError')),
});

export const WebhookDeliveriesResponse = listOf(
  described(
    v.object({
      delivery_id: described(v.string(), deliveryId),
      message_id: described(
        v.string(),
        doc('`webhook-id` of the posts, by which a receiver knows a repetition.', 'msg_5Nq0c1f7W3s'),
      ),
      type: described(v.string(), doc('Type of the event.', 'user.created')),
      time: described(date, doc('When it happened (RFC 3339, UTC).', TIME)),
      payload: described(
        v.record(v.string(), v.unknown()),
        doc('What was posted; networks, devices and user agents are masked.', {
          ...{ type: 'user.created', timestamp: TIME },
          data: { user_id: '2vd8nq4m1x0k7zt9w5chb3ryp' },
        }),
      ),
      attempts: described(v.array(attempt), doc('Each attempt to post it, oldest first.')),
    }),
    doc('An event at a webhook.'),
  ),
);

export const WebhookListResponse = listOf(WebhookRecord);
