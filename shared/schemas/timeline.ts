import * as v from 'valibot';
import { ADDRESS_MAX, NAME_MAX, STATISTICS_HOURS, STATISTICS_HOURS_MAX } from '../domain/basis/limits.ts';
import { managedRecords } from '../records/changes.ts';
import { STATISTICS_APPLICATIONS_MAX, STATISTICS_ITEM_APPLICATIONS } from '../records/statistics.ts';
import { describe, described, masked } from './fields/described.ts';
import {
  applicationId,
  date,
  id,
  optionalField,
  PageQuery,
  tenantId,
  textUpTo,
  toPage,
  toResult,
  userId,
} from './fields/record.ts';

// Schemas of events about users, addresses and the records of a tenant.

const TIME = '2026-11-21T09:30:00.000Z';

const event = v.looseObject({
  time: described(date, describe('Time of the event (RFC 3339, UTC).', TIME)),
  type: described(
    v.string(),
    describe(
      'Type of the event. Those of messages: message.sent, message.refused, message.delivered, message.delayed, message.bounced and message.complained.',
      'message.sent',
    ),
  ),
  sent: optionalField(v.string(), describe('Channel of the message: email, sms, link or direct.', 'email')),
  recipient: optionalField(v.string(), describe('Recipient of the message, masked.', 'd•••@e•••.com')),
  ip_address: optionalField(
    v.string(),
    describe('Network address of the device.', '203.0.113.9'),
    masked('left out'),
  ),
  source_address: optionalField(
    v.string(),
    describe('Network address of the caller.', '203.0.113.9'),
    masked('left out'),
  ),
  user_agent: optionalField(
    v.string(),
    describe('User agent of the device.', 'Mozilla/5.0'),
    masked('left out'),
  ),
  device_id: optionalField(
    v.string(),
    describe('ID that the application gave to the device.', 'd-1'),
    masked('left out'),
  ),
  message_id: optionalField(
    v.string(),
    describe(
      'ID of the message at the provider. Later events of the message have the same ID.',
      '0100018c-7e2f',
    ),
  ),
  refusal: optionalField(
    v.string(),
    describe(
      'Reason why nothing was sent: recipient_limit, network_limit, sms_range, sms_budget, mail_bounced, mail_complaint, number_at_risk, country, provider_refused, provider_unreachable, wrong_codes, user_disabled, no_user, test_user or failed.',
      'recipient_limit',
    ),
  ),
  sms_sender: optionalField(
    v.literal('left_out'),
    describe(
      'Set if the `sender_id` of the request could not be used, so that the message was sent without it.',
      'left_out',
    ),
  ),
  until: optionalField(
    date,
    describe(
      'Time at which the refusing limit ends (RFC 3339, UTC). Absent: it does not end by itself, or this is unknown.',
      TIME,
    ),
  ),
  answer: optionalField(
    v.string(),
    describe(
      'Answer of the network to a text message, without phone numbers.',
      'Phone carrier is currently unreachable/unavailable',
    ),
  ),
});

export const TimelineResponse = v.object({
  ...toPage(event).entries,
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
          describe(
            'Reason why codes are refused. Wrong codes lock them for some time; the other reasons stay until they are resolved.',
            'wrong_codes',
          ),
        ),
        app_id: optionalField(v.string(), applicationId),
        since: optionalField(date, describe('Time at which it began (RFC 3339, UTC).', TIME)),
        until: optionalField(
          date,
          describe(
            'Time at which it ends (RFC 3339, UTC). Absent: the user or an operator must end it.',
            TIME,
          ),
        ),
        tries: optionalField(v.number(), describe('Number of wrong codes that caused the lock.', 3)),
      }),
    ),
    describe('Reasons why the user currently gets no codes. Empty: none.', [
      { reason: 'mail_bounced', since: TIME },
    ]),
  ),
});

export const DeliveriesQuery = v.object({
  to: described(
    v.optional(textUpTo(ADDRESS_MAX)),
    describe(
      `Email address, or phone number in international form. At most ${ADDRESS_MAX} characters. Required unless \`status\` is given.`,
      'ann@example.com',
    ),
  ),
  status: described(
    v.optional(v.picklist(['failed'])),
    describe(
      'Only messages that were refused, bounced or reported as spam. Without `to`: those of the whole tenant.',
      'failed',
    ),
  ),
  since: described(
    v.optional(v.pipe(v.string(), v.isoTimestamp('must be a date and time (RFC 3339)'))),
    describe('Only events at or after this time (RFC 3339).', TIME),
  ),
  ...PageQuery.entries,
});

const delivery = v.looseObject({
  ...event.entries,
  user_id: optionalField(v.string(), userId),
});

export const DeliveriesResponse = v.object({
  ...toPage(delivery).entries,
  user_id: optionalField(v.string(), userId),
});

const ID = '4pf9mhq20w7x3dz1k6vs8tybn';
const KINDS = Object.values(managedRecords).map(({ kind }) => kind);

const changedField = v.object({
  field: described(v.string(), describe('Path of the field.', 'login_preferences.email.digits')),
  before: optionalField(v.string(), describe('Former value, as text or JSON. Absent: there was none.', '6')),
  after: optionalField(v.string(), describe('New value, as text or JSON. Absent: there is none.', '8')),
});

export const changedFields = described(
  v.array(changedField),
  describe(
    'Changed fields. Personal data is masked; secrets and long texts are omitted. Empty: a secret was changed, or something that no record contains.',
  ),
);

const change = v.looseObject({
  time: described(date, describe('Time of the event (RFC 3339, UTC).', TIME)),
  type: described(v.string(), describe('Type of the event.', 'management.changed')),
  operation: described(
    v.string(),
    describe('Call or command that made the change.', 'management/update-application'),
  ),
  record_kind: optionalField(v.picklist(KINDS), describe('Kind of the record.', 'application')),
  record_id: optionalField(v.string(), describe('ID of the record.', ID)),
  user_id: optionalField(v.string(), userId),
  operator: optionalField(
    v.string(),
    describe('User ID of the operator, or the name of the AWS credentials.', ID),
  ),
  reason: optionalField(
    v.string(),
    describe("Reason in the operator's own words.", 'Asked for in ticket 4711'),
  ),
  client_id: optionalField(v.string(), describe('ID of the client that made the change.', ID)),
  application_id: optionalField(v.string(), applicationId),
  tenant_id: described(v.string(), tenantId),
  changes: changedFields,
});

export const ChangesQuery = v.object({
  user_id: described(v.optional(id), describe('Only changes of this user.', '2vd8nq4m1x0k7zt9w5chb3ryp')),
  operator: described(
    v.optional(textUpTo(NAME_MAX)),
    describe('Only changes by this operator: a user ID, or the name of AWS credentials.', ID),
  ),
  kind: described(v.optional(v.picklist(KINDS)), describe('Only changes of records of this kind.', 'client')),
  ...PageQuery.entries,
});
export const ChangesResponse = toPage(change);

const count = (what: string, example: number) => described(v.number(), describe(what, example));

export const StatisticsQuery = v.object({
  hours: described(
    v.optional(
      v.pipe(
        v.string(),
        v.regex(
          /^(?:[1-9]\d{0,2}|1\d{3}|20\d\d|21[0-5]\d|2160)$/,
          `must be an integer from 1 to ${STATISTICS_HOURS_MAX}`,
        ),
      ),
    ),
    describe(
      `Number of hours up to now, 1 to ${STATISTICS_HOURS_MAX} (default: ${STATISTICS_HOURS}, seven days).`,
      '24',
    ),
  ),
});

export const StatisticsResponse = toResult(
  described(
    v.object({
      hours: described(
        v.array(
          v.object({
            hour: described(
              date,
              describe('Beginning of the hour (RFC 3339, UTC).', '2026-11-28T09:00:00.000Z'),
            ),
            logins: count('Number of successful logins.', 120),
            failures: count(
              'Number of wrong or expired codes, links and passkeys, and refused answers of providers.',
              4,
            ),
            sends: count('Number of sent messages: codes, links and notices.', 97),
            refusals: count('Number of messages that were not sent. The timeline of a user says why.', 2),
            texts: count('Number of parts of text messages, as networks bill them.', 15),
          }),
        ),
        describe('Hours with their counts, oldest first.'),
      ),
      applications: described(
        v.array(
          v.object({
            app_id: described(v.string(), applicationId),
            name: optionalField(
              v.string(),
              describe('Name of the application. Absent: it was deleted.', 'My shop'),
            ),
            sends: count('Number of sent codes and links.', 90),
            logins: count('Number of successful logins with a code or link.', 72),
            texts: count('Number of parts of text messages, as networks bill them.', 15),
          }),
        ),
        describe(
          `Applications that sent codes or links, most first, at most ${STATISTICS_APPLICATIONS_MAX}. If more than ${STATISTICS_ITEM_APPLICATIONS} applications send within 15 minutes, some may be left out.`,
        ),
      ),
      limits: described(
        v.array(
          v.object({
            limit: described(
              v.picklist(['sms_per_day', 'sms_per_30_days', 'applications']),
              describe(
                "Limited resource: text messages by the tenant's budget, or applications.",
                'sms_per_day',
              ),
            ),
            of: count('Maximum that is allowed.', 1000),
            used: optionalField(v.number(), describe('Used amount. Absent: only `near` is known.', 15)),
            near: described(
              v.boolean(),
              describe('Whether at least four fifths of the limit are used.', false),
            ),
          }),
        ),
        describe('Limits of the tenant and how much of them is used.'),
      ),
    }),
    describe('Numbers of events in the tenant by the hour and by application, and its limits.'),
  ),
);
