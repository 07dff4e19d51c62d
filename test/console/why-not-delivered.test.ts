import { describe, expect, test } from '@jest/globals';
import type { MailEvent } from '../../functions/events/mail-events.ts';
import { createSmsDeliveryEvent } from '../../lib/local/emulators/messages/provider-events.ts';
import type { MessageEvent } from '../../shared/ports/audit.ts';
import { createOperator } from '../support/fixtures/operators.ts';
import { createProvenUser, newEmail } from '../support/fixtures/people.ts';
import { noteForComparison } from '../support/server/aws-calls.ts';
import { loadBackground } from '../support/server/load-function.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { useSupportDesk } from './support-desk.ts';

// "Why did no code arrive?" For each response or later report of SES and SNS, the console shows an explanation and advice.

const server = useTestServer({ rateLimits: 'off', events: true });
const { somePerson, ask, shownAt, afterFault } = useSupportDesk(server);

const CHECK = 'Check the number or address for a mistake';
const FOR_ALL = 'Trying again does not help';
const AGAIN = 'Try again in a minute';

describe('SES and SNS responses that the console explains', () => {
  test.each([
    ['ses', 'MessageRejected', CHECK],
    ['ses', 'MailFromDomainNotVerified', FOR_ALL],
    ['ses', 'Throttling', AGAIN],
    ['sns', 'OptedOut', 'They can send START'],
    ['sns', 'InvalidClientTokenId', FOR_ALL],
  ] as const)('the console explains the response of %s to a message: %s', async (service, code, advises) => {
    const path = await afterFault({ service, effect: 'error', code }, service === 'ses' ? 'email' : 'sms');
    const shown = await shownAt(path);
    expect(shown).toMatch(new RegExp(`Not sent .*, ${code}`));
    expect(shown).toContain(advises);
  });

  test('the console suggests sending an email again if SES did not respond', async () => {
    const effect = 'lost-answer';
    expect(await shownAt(await afterFault({ service: 'ses', effect }, 'email'))).toContain(AGAIN);
  });
});

type Told = Omit<MailEvent['detail'], 'eventType' | 'mail'>;
const timestamp = new Date().toISOString();
const bounced = (bounceType: string, bounceSubType: string, status?: string): Told => ({
  bounce: {
    bounceType,
    bounceSubType,
    timestamp,
    bouncedRecipients: [{ emailAddress: 'x', ...(status && { status }) }],
  },
});

/** Delivery events of SES, each with the explanation and the advice that the console shows. */
const outcomes = {
  'message.delivered': [['arrived', { delivery: { timestamp } }, 'Mail arrived at its server', undefined]],
  'message.delayed': [
    ['delayed', { deliveryDelay: { timestamp, delayType: 'MailboxFull' } }, 'Delayed: MailboxFull', 'Wait: '],
  ],
  'message.complained': [
    [
      'spam',
      { complaint: { timestamp, complainedRecipients: [] } },
      'Its reader called the mail spam',
      'Make sure that the person wants our mail',
    ],
  ],
  'message.bounced': [
    [
      'no mailbox',
      bounced('Permanent', 'NoEmail', '5.1.1'),
      'Came back for good: NoEmail 5.1.1',
      'Ask for another address',
    ],
    [
      'full',
      bounced('Transient', 'MailboxFull', '4.2.2'),
      'Came back for now: MailboxFull 4.2.2',
      'Try again later',
    ],
    [
      'unknown',
      bounced('Undetermined', 'Undetermined'),
      'Came back for now: Undetermined',
      'Try again later',
    ],
  ],
  'message.refused': [
    ['a virus', { reject: { reason: 'Bad content' } }, 'the provider has refused it, Reject', CHECK],
  ],
} as const satisfies Readonly<Record<Exclude<MessageEvent, 'message.sent'>, readonly Outcome[]>>;

type Outcome = readonly [title: string, told: Told, says: string, advises: string | undefined];

async function told(entry: 'mail-events' | 'sms-events', event: object): Promise<void> {
  const notes = noteForComparison();
  await notes.noting(entry, await loadBackground(entry))(event);
  notes.close();
}

/** Sends a code to a user. Returns the message ID that the provider has assigned. */
async function sentTo(
  person: Awaited<ReturnType<typeof somePerson>>,
  channel: 'email' | 'sms',
): Promise<string> {
  expect(await ask(person, channel)).toBe(200);
  await server.settleEvents();
  const path = `/v1/users/${person.userId}/timeline`;
  const { body } = await server.get<{ result: { type: string; message_id: string }[] }>(path, {
    token: await server.adminToken(),
  });
  return body.result.find(({ type }) => type === 'message.sent')?.message_id ?? '';
}

describe('delivery status of an email in the console', () => {
  test.each(Object.values<readonly Outcome[]>(outcomes).flat())(
    'the console explains the delivery event %s of an email',
    async (eventType, detail, says, advises) => {
      const person = await somePerson();
      const messageId = await sentTo(person, 'email');
      const mail = { messageId, timestamp, tags: { user: [person.userId] } };
      await told('mail-events', { detail: { eventType, mail, ...detail } });
      const shown = await shownAt(person.path);
      expect(shown).toContain('Code sent by mail to');
      expect(shown).toContain(says);
      if (advises !== undefined) expect(shown).toContain(advises);
    },
  );
});

describe('delivery status of an SMS in the console', () => {
  test.each([
    ['Phone has blocked SMS', 'The phone accepts no texts'],
    ['Something new', 'Check the number, try again, or use mail'],
  ])('the console explains the delivery status of an SMS: %s', async (answer, advises) => {
    const person = await somePerson();
    const messageId = await sentTo(person, 'sms');
    await told('sms-events', createSmsDeliveryEvent(messageId, person.sms, ['FAILURE', answer]));
    const shown = await shownAt(person.path);
    expect(shown).toContain(`Text not delivered: ${answer}`);
    expect(shown).toContain(advises);
  });

  test('the console shows that the mobile network accepted an SMS', async () => {
    const person = await somePerson();
    await told(
      'sms-events',
      createSmsDeliveryEvent(await sentTo(person, 'sms'), person.sms, ['SUCCESS', 'Message accepted']),
    );
    expect(await shownAt(person.path)).toContain('Text taken by its network: Message accepted');
  });
});

test('the console shows from when on a user can log in with only an address set by support', async () => {
  const { user_id } = await createProvenUser(server, { email: newEmail() });
  const support = await createOperator(server, 'support');
  const email = newEmail('next');
  const { body } = await server.request<{ result: { email: { opens_at: string } } }>(`/v1/users/${user_id}`, {
    method: 'PUT',
    headers: { ...support.headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const [date, time = ''] = body.result.email.opens_at.split('T');
  const shown = await shownAt(`/demo-tenant/people/${user_id}`);
  expect(shown).toContain(`${date} ${time.slice(0, 5)} UTC`);
  expect(shown).toContain('Can log in alone from');
});
