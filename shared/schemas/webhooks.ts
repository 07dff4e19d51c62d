import * as v from 'valibot';
import { URI_MAX, WEBHOOK_EVENT_MAX, WEBHOOK_EVENTS_MAX } from '../domain/basis/limits.ts';
import { webhookFields } from '../records/webhook.ts';
import { describe, described } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { createSchemas } from './fields/of-record.ts';
import { date, id, optionalField, tenantId, textUpTo, toPage, toResult, uri } from './fields/record.ts';

const webhookId = describe('ID of the webhook.', '3xh0t7m9w1qz5kd8v2rcb6nyp');
const event = v.pipe(
  v.string(),
  maxCharacters(WEBHOOK_EVENT_MAX),
  v.metadata({ pattern: '^(?:[a-z_]+\\.)?(?:[a-z_]+|\\*)$' }),
);
const webhook = createSchemas(webhookFields, {
  webhookId,
  tenantId,
  applicationId: [
    id,
    describe(
      'ID of the application whose events are sent. Absent: events of the whole tenant.',
      '1c7r5zk0v3x9qmd2w8htb4nyp',
    ),
  ],
  url: [
    uri,
    describe(
      `Public \`https\` URL that receives the events by POST. At most ${URI_MAX} characters.`,
      'https://shop.example.com/hooks/logins',
    ),
  ],
  events: [
    v.pipe(v.array(event), v.maxLength(WEBHOOK_EVENTS_MAX)),
    describe(
      `Types of events, such as \`login.failed\`, or \`user.*\` for all that begin with \`user.\`. Empty: all events. At most ${WEBHOOK_EVENTS_MAX} of ${WEBHOOK_EVENT_MAX} characters.`,
      ['login.failed', 'user.*'],
    ),
  ],
  enabled: describe('Whether events are posted (default: true); null stops them.', true),
  liveSecrets: describe(
    'Number of secrets that sign. After the first rotation there are two, so that receivers can switch over.',
    1,
  ),
  secret: describe(
    'Key of the signatures (Standard Webhooks), only in the answer that created it.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgh6Z4xhU=',
  ),
});
export const { create: CreateWebhookBody, update: UpdateWebhookBody } = webhook;
const TIME = '2026-11-28T09:30:00.000Z';
const status = describe('HTTP status of the answer. 2xx ends the attempts.', 204);
const error = describe('Code or name of the error if there was no answer.', 'ENOTFOUND');
const health = v.object({
  state: described(
    v.picklist(['delivered', 'failing', 'unused']),
    describe(
      'Result of the last attempt to post an event. `unused`: none in the last seven days.',
      'failing',
    ),
  ),
  last_attempt_at: optionalField(date, describe('Time of the last attempt (RFC 3339, UTC).', TIME)),
  failing_since: optionalField(
    date,
    describe('Time of the first failed attempt since the last delivered event (RFC 3339, UTC).', TIME),
  ),
  status: optionalField(v.number(), status),
  error: optionalField(v.string(), error),
});
export const WebhookRecord = described(
  v.object({
    ...webhook.record.entries,
    health: optionalField(
      health,
      describe('Whether events arrive at the webhook. Only lists of webhooks and a single webhook have it.'),
    ),
  }),
  describe('A URL that security events of a tenant or an application are posted to.'),
);
export const WebhookResponse = toResult(WebhookRecord);
export const WebhookIdPath = v.object({ webhookId: described(id, webhookId) });
const DELIVERY_ID_MAX = 128;
const deliveryId = describe(
  'ID of the delivery, the same for each attempt.',
  '1795858200000-msg_5Nq0c1f7W3s',
);

export const DeliveryPath = v.object({
  webhookId: described(id, webhookId),
  deliveryId: described(textUpTo(DELIVERY_ID_MAX), deliveryId),
});

const attempt = v.object({
  at: described(date, describe('Time of the attempt (RFC 3339, UTC).', TIME)),
  attempt: described(
    v.number(),
    describe('Number of the attempt, from 1. It starts again if the event is redelivered.', 1),
  ),
  status: optionalField(v.number(), status),
  error: optionalField(v.string(), error),
});

export const WebhookDeliveriesResponse = toPage(
  described(
    v.object({
      delivery_id: described(v.string(), deliveryId),
      message_id: described(
        v.string(),
        describe(
          'Value of the header `webhook-id`, by which a receiver recognises a repetition.',
          'msg_5Nq0c1f7W3s',
        ),
      ),
      type: described(v.string(), describe('Type of the event.', 'user.created')),
      time: described(date, describe('Time of the event (RFC 3339, UTC).', TIME)),
      payload: described(
        v.record(v.string(), v.unknown()),
        describe('Posted payload. Networks, devices and user agents are masked.', {
          ...{ type: 'user.created', timestamp: TIME },
          data: { user_id: '2vd8nq4m1x0k7zt9w5chb3ryp' },
        }),
      ),
      attempts: described(v.array(attempt), describe('Attempts to post the event, oldest first.')),
    }),
    describe('Delivery of an event to a webhook.'),
  ),
);

export const WebhookListResponse = toPage(WebhookRecord);
