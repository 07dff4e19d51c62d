import * as v from 'valibot';
import { NOTICE_CHANNELS } from '../../records/channels.ts';
import { describe, described } from '../fields/described.ts';
import { date, optionalField, textUpTo } from '../fields/record.ts';

const TOKEN_MAX = 2048;
const ANSWER_MAX = 200;

const token = described(
  textUpTo(TOKEN_MAX),
  describe('Token of the message. The sender function got it with the message.', '2026-11-28.mT0x…'),
);

/** Report of an operator's sender function about a message that it has passed on to its provider. */
export const DeliveryReportBody = v.object({
  token,
  status: described(
    v.picklist(['delivered', 'delayed', 'failed', 'bounced', 'complained']),
    describe(
      'What became of the message. `failed`: it did not arrive this time. `bounced`: the address takes no messages at all; mail is then no longer sent to it. `complained`: the recipient reported the mail as spam; mail is then no longer sent to the address.',
      'delivered',
    ),
  ),
  answer: optionalField(
    textUpTo(ANSWER_MAX),
    describe(
      `Answer of the provider or network, for support. Phone numbers are removed. At most ${ANSWER_MAX} characters.`,
      'Phone is switched off',
    ),
  ),
});

const text = (words: ReturnType<typeof describe>) => described(v.string(), words);

/** Event with which the operator's Lambda function for sending messages is invoked. */
export const SenderRequest = v.object({
  version: described(v.literal(1), describe('Version of this schema. New fields do not change it.', 1)),
  channel: described(v.picklist(NOTICE_CHANNELS), describe('Kind of the message.', 'sms')),
  to: text(describe('Email address, or phone number in E.164 format.', '+12025550143')),
  purpose: described(
    v.picklist(['login', 'sign_up', 'confirm', 'reinstate', 'approval', 'notice']),
    describe(
      'Purpose of the message: a login, a sign-up, the confirmation of an added address, the reinstatement of a superseded address, the approval of a transaction, or a notice about the account.',
      'login',
    ),
  ),
  code: optionalField(v.string(), describe('Code that the person types.', '042917')),
  link: optionalField(
    v.string(),
    describe('Link of the message.', 'https://login.example.com/v1/auth/link/email/open?code=pG0…'),
  ),
  text: text(describe('Complete text of the SMS, or the text part of the mail.', '042917 is your code.')),
  subject: optionalField(v.string(), describe('Subject of a mail.', 'Your login code')),
  html: optionalField(v.string(), describe('HTML part of a mail.', '<p>Your code is 042917</p>')),
  mime: optionalField(
    v.string(),
    describe('Complete mail (RFC 5322) with its logo, in Base64.', 'RnJvbTogU2hvcA0K…'),
  ),
  from: optionalField(v.string(), describe('Sender address of a mail.', 'no-reply@example.com')),
  sender_id: optionalField(v.string(), describe('Sender ID that the request of an SMS named.', 'SHOP')),
  language: text(describe('Language of the texts (RFC 5646).', 'en')),
  application: described(
    v.object({
      id: optionalField(
        v.string(),
        describe('ID of the application, if the message has one.', '1c7r5zk0v3x9'),
      ),
      name: text(describe('Name of the application or tenant.', 'Shop')),
    }),
    describe('Application that sends the message, or the tenant for some notices.'),
  ),
  message_id: text(
    describe('ID of the message in timelines and logs. It is new for each invocation.', '3xh0t7m9w1qz'),
  ),
  request_id: optionalField(
    v.string(),
    describe('ID of the request or event that caused the message.', 'JKJaXmPLvHcESHA='),
  ),
  callback: described(
    v.object({
      url: text(
        describe('URL that takes delivery reports.', 'https://login.example.com/cis/v1/deliveries/callback'),
      ),
      token,
      expires_at: described(
        date,
        describe('Time after which the token is refused.', '2026-12-02T09:30:00.000Z'),
      ),
    }),
    describe('Place for later reports about the delivery of the message.'),
  ),
});

/** Result that the operator's Lambda function for sending messages returns. */
export const SenderAnswer = v.object({
  outcome: described(
    v.picklist(['accepted', 'refused', 'unknown']),
    describe(
      '`accepted`: the message is on its way. `refused`: it is certainly not sent. `unknown`: it may be sent, so the service does not send it again. An error, a time-out and any other result count as `unknown`.',
      'refused',
    ),
  ),
  reason: optionalField(
    v.picklist([
      'provider_refused',
      'provider_unreachable',
      'country',
      'number_at_risk',
      'mail_bounced',
      'mail_complaint',
    ]),
    describe('Reason of a refusal, as timelines show it.', 'provider_refused'),
  ),
  provider_error: optionalField(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,24}$/)),
    describe("Provider's error code for support. It must contain neither the code nor the address.", '63016'),
  ),
});
