import { expect, test } from '@jest/globals';
import { describeEvent, describeHold, describeNextStep } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';

const time = '2026-11-28T03:04:05.678Z';

test.each<[object, string]>([
  [{ type: 'user.updated', operation: 'updateUser' }, 'user.updated  updateUser'],
  [
    { type: 'user.phone_added', supersedes_account: 'phone_number' },
    'user.phone_added  the first proof of phone_number supersedes all else',
  ],
  [{ type: 'login.failed', channel: 'sms' }, 'login.failed  sms'],
  [{ type: 'message.sent', sent: 'sms', recipient: '•••23' }, 'Code sent by text to •••23'],
  [{ type: 'message.sent', sent: 'fax' }, 'Sent'],
  [{ type: 'message.sent', sent: 'email', notice: 'passkey_added' }, 'Notice (passkey added) sent'],
  [{ type: 'message.delivered', sent: 'sms' }, 'Text taken by its network'],
  [{ type: 'message.bounced', sent: 'sms', answer: 'Off' }, 'Text not delivered: Off'],
  [
    { type: 'message.bounced', sent: 'link', bounce: 'Permanent', bounce_kind: 'General' },
    'Came back for good: General',
  ],
  [{ type: 'message.bounced', sent: 'link', bounce: 'Transient' }, 'Came back for now: '],
])('support staff see the event %j as: %s', (event, words) => {
  expect(describeEvent({ time, ...event } as never)).toBe(words);
});

test.each<[HoldRecord, string]>([
  [
    { reason: 'wrong_codes', app_id: 'shop', until: time, tries: 3 },
    `Codes are locked after wrong ones in the application shop until ${time}`,
  ],
  [
    { reason: 'mail_complaint', since: time },
    `No mail is sent, because the recipient reported it as spam. Set the address again (since ${time})`,
  ],
  [{ reason: 'user_disabled' }, 'The user is disabled, or has deleted their account'],
])('support staff see the hold %j as: %s', (hold, words) => {
  expect(describeHold(hold)).toBe(words);
});

test.each<[string, object, string | undefined]>([
  ['message.sent', {}, undefined],
  ['message.delivered', {}, undefined],
  ['message.delayed', {}, 'Wait: the server of the recipient takes it later, or it comes back.'],
  ['message.bounced', {}, 'Try again later: the mailbox is full, or its server is down.'],
  [
    'message.bounced',
    { bounce: 'Permanent' },
    'Ask for another address, and set it. If the mailbox works again, set the same address again.',
  ],
  ['message.bounced', { sent: 'sms' }, 'Check the number, try again, or use mail.'],
  ['message.complained', {}, 'Make sure that the person wants our mail, and set the same address again.'],
  ['message.refused', { refusal: 'test_user' }, 'Read the code of the test user by API.'],
  [
    'message.refused',
    { refusal: 'provider_refused', provider_error: 'Rejected' },
    'Check the number or address for a mistake. If others fail too, look at the alarms.',
  ],
  [
    'message.refused',
    { refusal: 'provider_refused', provider_error: 'AccessDenied' },
    'Trying again does not help: our account at the provider must be fixed. Inform the operator of this service.',
  ],
  [
    'message.refused',
    { refusal: 'failed', provider_error: 'AccessDenied' },
    'Give the time and the user ID to the person who reads the logs.',
  ],
  [
    'message.refused',
    { refusal: 'provider_refused', provider_error: 'OptedOut' },
    'The person has answered STOP. They can send START to our number, or use mail.',
  ],
])('after the event %s with %j, support staff get the advice: %s', (type, detail, advice) => {
  expect(describeNextStep({ time, type, ...detail } as never)).toBe(advice);
});
