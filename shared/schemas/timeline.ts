import * as v from 'valibot';
import { ADDRESS_MAX } from '../domain/basis/limits.ts';
import { described, doc, masked } from './fields/described.ts';
import { applicationId, date, listOf, PageQuery, shown, textUpTo, userId } from './fields/record.ts';

/** What support sees of a user, and of an address. */

const TIME = '2026-11-21T09:30:00.000Z';

const event = v.looseObject({
  time: described(date, doc('When it happened (RFC 3339, UTC).', TIME)),
  type: described(
    v.string(),
    doc(
      'Type of the event. Those of messages: message.sent, message.refused, message.delivered, message.delayed, message.bounced and message.complained.',
      'message.sent',
    ),
  ),
  sent: shown(v.string(), doc('How it was sent: email, sms, link or direct.', 'email')),
  recipient: shown(v.string(), doc('Where the message went, masked.', 'd•••@e•••.com')),
  ip_address: shown(v.string(), doc('Address of the device.', '203.0.113.9'), masked('left out')),
  source_address: shown(v.string(), doc('Network address of the caller.', '203.0.113.9'), masked('left out')),
  user_agent: shown(v.string(), doc('Program of the device.', 'Mozilla/5.0'), masked('left out')),
  device_id: shown(v.string(), doc('What the application calls the device.', 'd-1'), masked('left out')),
  message_id: shown(
    v.string(),
    doc('ID of the message at the provider. Later events of the message have the same.', '0100018c-7e2f'),
  ),
  refusal: shown(
    v.string(),
    doc(
      'Why nothing was sent: recipient_limit, network_limit, sms_range, sms_budget, mail_bounced, mail_complaint, number_at_risk, country, provider_refused, provider_unreachable, wrong_codes, user_disabled, no_user, test_user or failed.',
      'recipient_limit',
    ),
  ),
  sms_sender: shown(
    v.literal('left_out'),
    doc('The `sender_id` of the request could not be carried, and the message went without it.', 'left_out'),
  ),
  until: shown(
    date,
    doc('When the limit that refused it ends (RFC 3339, UTC). Absent: not by itself, or unknown.', TIME),
  ),
  answer: shown(
    v.string(),
    doc(
      'What the network said of a text, without numbers.',
      'Phone carrier is currently unreachable/unavailable',
    ),
  ),
});

export const TimelineResponse = v.object({
  ...listOf(event).entries,
  holds: described(
    v.array(
      v.object({
        reason: described(
          v.picklist([
            'wrong_codes',
            'codes_off',
            'mail_bounced',
            'mail_complaint',
            'number_at_risk',
            'user_disabled',
          ]),
          doc(
            'What refuses codes: wrong codes lock them for a while, the others hold until they are ended.',
            'wrong_codes',
          ),
        ),
        app_id: shown(v.string(), applicationId),
        since: shown(date, doc('When it began (RFC 3339, UTC).', TIME)),
        until: shown(
          date,
          doc('When it ends (RFC 3339, UTC). Absent: when the user or an operator ends it.', TIME),
        ),
      }),
    ),
    doc('What keeps codes from the user now. Empty: nothing.', [{ reason: 'mail_bounced', since: TIME }]),
  ),
});

export const DeliveriesQuery = v.object({
  to: described(
    textUpTo(ADDRESS_MAX),
    doc(
      `Email address, or phone number in international form. At most ${ADDRESS_MAX} characters.`,
      'ann@example.com',
    ),
  ),
  ...PageQuery.entries,
});

export const DeliveriesResponse = v.object({
  ...listOf(event).entries,
  user_id: shown(v.string(), userId),
});
