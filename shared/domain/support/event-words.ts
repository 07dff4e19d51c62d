// Descriptions of events, and the next steps that support staff can take.
import { type CatalogueEntry, catalogue, type FailedLogin } from '../../errors/catalogue.ts';
import type { MessageEvent, SendRefusal } from '../../ports/audit.ts';
import { type Channel, isChannel } from '../../records/channels.ts';
import type { TimelineRecord } from '../users/timeline-record.ts';
import type { HoldRecord } from './support-view.ts';

/** Texts for support staff that say why a message was not sent. */
export const REFUSALS: Readonly<Record<SendRefusal, string>> = {
  recipient_limit: 'too many messages to this recipient; wait and try again',
  network_limit: 'too many requests from this network; wait and try again',
  sms_range: 'too many texts to this range of numbers',
  sms_budget: 'the SMS budget of the tenant is used up',
  mail_bounced: 'mail to this address came back; the address must be changed or given again',
  mail_complaint: 'its owner has called our mail spam; the address must be given again',
  number_at_risk: 'the number is reported at risk; clear it or use another way',
  country: 'texts do not go to the country of this number',
  provider_refused: 'the provider has refused it',
  provider_unreachable: 'the provider did not answer',
  wrong_codes: 'codes are locked after wrong ones',
  user_disabled: 'the user is disabled, or has deleted their account',
  no_user: 'no user has this address, and sign-up is off or was not requested',
  test_user: 'a test user gets no messages',
  failed: 'an error of ours; see otl logs with the request',
};

const HOLDS: Readonly<Record<HoldRecord['reason'], string>> = {
  wrong_codes: 'Codes are locked after wrong ones',
  codes_off: 'Codes are off after 100 wrong attempts, until the user logs in another way or is unlocked',
  mail_bounced: 'No mail is sent, because it bounced. Change the address, or set it again',
  mail_complaint: 'No mail is sent, because the recipient reported it as spam. Set the address again',
  number_at_risk:
    'No texts are sent, because the number is reported at risk. Clear the risk once you are sure of the owner',
  user_disabled: 'The user is disabled, or has deleted their account',
};

const SENT: Readonly<Record<Channel | 'direct', string>> = {
  email: 'Code sent by mail',
  sms: 'Code sent by text',
  link: 'Link sent by mail',
  direct: 'Code given to the backend of the application, which passes it on',
};

const text = (value: string | number | undefined) => (value === undefined ? '' : String(value));
const describeAnswer = ({ answer }: TimelineRecord) => (answer === undefined ? '' : `: ${answer}`);
const to = ({ recipient }: TimelineRecord) => (recipient === undefined ? '' : ` to ${recipient}`);

const sentBy = ({ sent }: TimelineRecord) =>
  Object.hasOwn(SENT, text(sent)) ? SENT[text(sent) as keyof typeof SENT] : 'Sent';

/** Sentences that describe the outcome of a message. */
interface OutcomeWords {
  readonly delivered: (event: TimelineRecord) => string;
  readonly bounced: (event: TimelineRecord) => string;
  readonly afterBounce: (event: TimelineRecord) => string;
}

const ofMail: OutcomeWords = {
  delivered: () => 'Mail arrived at its server',
  bounced: ({ bounce, bounce_kind, status_code }) =>
    `${bounce === 'Permanent' ? 'Came back for good' : 'Came back for now'}: ${[bounce_kind, status_code].filter(Boolean).join(' ')}`,
  afterBounce: ({ bounce }) =>
    bounce === 'Permanent'
      ? NEXT.mail_bounced
      : 'Try again later: the mailbox is full, or its server is down.',
};

const OUTCOMES: Readonly<Record<Channel, OutcomeWords>> = {
  email: ofMail,
  link: ofMail,
  sms: {
    delivered: (event) => `Text taken by its network${describeAnswer(event)}`,
    bounced: (event) => `Text not delivered${describeAnswer(event)}`,
    afterBounce: ({ answer }) => ANSWERS[text(answer)] ?? 'Check the number, try again, or use mail.',
  },
};
const describeOutcome = ({ sent }: TimelineRecord): OutcomeWords =>
  OUTCOMES[isChannel(sent) ? sent : 'email'];

const MESSAGES: Readonly<Record<MessageEvent, (event: TimelineRecord) => string>> = {
  'message.sent': (event) =>
    `${event.notice === undefined ? sentBy(event) : `Notice (${text(event.notice).replaceAll('_', ' ')}) sent`}${to(event)}`,
  'message.refused': (event) =>
    `Not sent${to(event)}: ${[REFUSALS[text(event.refusal) as SendRefusal] ?? text(event.refusal), event.provider_error, event.until && `until ${event.until}`].filter(Boolean).join(', ')}`,
  'message.delivered': (event) => describeOutcome(event).delivered(event),
  'message.delayed': (event) => `Delayed: ${text(event.delay)}`,
  'message.bounced': (event) => describeOutcome(event).bounced(event),
  'message.complained': () => 'Its reader called the mail spam',
};

function readFailedLogin({ result }: TimelineRecord): FailedLogin | undefined {
  const entries: Readonly<Record<string, CatalogueEntry | undefined>> = catalogue;
  return entries[text(result)]?.failedLogin || undefined;
}

/** Returns a sentence that tells support staff what happened in an event. */
export function describeEvent(event: TimelineRecord): string {
  const { type, method, channel, operation, result, supersedes_account } = event;
  if (Object.hasOwn(MESSAGES, type)) return MESSAGES[type as MessageEvent](event);
  const how = text(method ?? channel ?? operation);
  const said = type === 'login.failed' ? (readFailedLogin(event)?.words ?? text(result)) : '';
  const takes =
    supersedes_account === undefined
      ? ''
      : `the first proof of ${text(supersedes_account)} supersedes all else`;
  return [type, how, said, takes].filter(Boolean).join('  ');
}

/** Returns a sentence that explains why a user gets no codes at present. */
export function describeHold({ reason, app_id, since, until }: HoldRecord): string {
  const where = app_id === undefined ? '' : ` in the application ${app_id}`;
  const when = until === undefined ? '' : ` until ${until}`;
  const from = since === undefined ? '' : ` (since ${since})`;
  return `${HOLDS[reason]}${where}${when}${from}`;
}

/** Advice for support staff after a message was rejected, by the reason for the rejection. */
const NEXT: Readonly<Record<SendRefusal, string>> = {
  recipient_limit: 'Wait until the time given. Look for the last code in the spam folder: it may have come.',
  network_limit:
    'Wait a minute, or try from another network. If a whole office is behind it, raise the limit of the application.',
  sms_range: 'Wait until the time given, or use mail. Many numbers of one range look like fraud.',
  sms_budget: 'Use mail until the month ends, or have the budget raised.',
  mail_bounced:
    'Ask for another address, and set it. If the mailbox works again, set the same address again.',
  mail_complaint: 'Make sure that the person wants our mail, and set the same address again.',
  number_at_risk: 'Verify the person in another way, then clear the risk of the number.',
  country: 'Use mail or a passkey, or have the country allowed for this environment.',
  provider_refused: 'Check the number or address for a mistake. If others fail too, look at the alarms.',
  provider_unreachable: 'Try again in a minute. If it lasts, look at the alarms.',
  wrong_codes: 'Wait until the time given, or unlock the user if you are sure of the person.',
  user_disabled: 'Find out why the user was disabled before you set the status to Active.',
  no_user: 'Ask for the address that the account was made with, or let the person sign up.',
  test_user: 'Read the code of the test user by API.',
  failed: 'Give the time and the user ID to the person who reads the logs.',
};

/** Advice for support staff, by the status that a phone network reports for an SMS (SNS, delivery status of text messages). */
const ANSWERS: Readonly<Record<string, string>> = {
  'Blocked as spam by phone carrier': 'Use mail. The carrier treats our sender as spam: have it registered.',
  'Destination is on a blocked list': 'Use another number or mail.',
  'Destination number is on a blocked list': 'Use another number or mail.',
  'Invalid phone number': 'Check the number for a mistake, and set the right one.',
  'Message body is invalid': 'Look at the texts of the application.',
  'Phone carrier has blocked this message':
    'Use mail. The carrier accepts no texts from our sender to this number.',
  'Phone carrier is currently unreachable/unavailable': 'Try again later, or use mail.',
  'Phone has blocked SMS': 'The phone accepts no texts: use mail or a passkey.',
  'Phone is on a blocked list': 'Use another number or mail.',
  'Phone is currently unreachable/unavailable':
    'Have the phone switched on and within reach, then try again.',
  'Phone number is opted out':
    'The person has answered STOP. They can send START to our number, or use mail.',
  'This delivery would exceed max price': 'Texts to this number cost more than is allowed: use mail.',
  'Unknown error attempting to reach phone': 'Try again. If it keeps failing, use mail.',
};

/** Errors of SES and SNS that affect all recipients, so that another number or address does not help. */
const REFUSES_ALL = /Denied|NotGranted|NotVerified|Paused|Token/;

function afterRefusal({ refusal, provider_error }: TimelineRecord): string | undefined {
  const error = text(provider_error);
  if (error.startsWith('OptedOut')) return ANSWERS['Phone number is opted out'];
  if (refusal === 'provider_refused' && REFUSES_ALL.test(error))
    return 'Trying again does not help: our account at the provider must be fixed. Inform the operator of this service.';
  return NEXT[text(refusal) as SendRefusal];
}

/** Advice on whether a user can retry a failed login, for support and, in the API document, for developers. */
export const RETRY: Readonly<Record<FailedLogin['retry'], string>> = {
  now: 'The user can try again at once, with a new code, link or proof.',
  later: 'The user can try again later, or log in another way at once.',
  never: 'Trying again with the same credential does not help.',
};

/** Returns the step that support should take after an event, or undefined if there is none. */
export function describeNextStep(event: TimelineRecord): string | undefined {
  const { type } = event;
  if (type === 'login.failed') {
    const failed = readFailedLogin(event);
    return failed && RETRY[failed.retry];
  }
  if (type === 'message.refused') return afterRefusal(event);
  if (type === 'message.delayed')
    return 'Wait: the server of the recipient takes it later, or it comes back.';
  if (type === 'message.complained') return NEXT.mail_complaint;
  return type === 'message.bounced' ? describeOutcome(event).afterBounce(event) : undefined;
}
