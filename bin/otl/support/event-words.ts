import { REFUSALS } from '../../../lib/operator/words/refusals.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { MessageEvent, SendRefusal } from '../../../shared/ports/audit.ts';

/** Events in words, for a person of support who has no table of reasons at hand. */

const HOLDS: Readonly<Record<HoldRecord['reason'], string>> = {
  wrong_codes: 'Codes are locked after wrong ones',
  codes_off: 'Codes are off after 100 wrong ones: a login another way or `otl user unlock` ends it',
  mail_bounced: 'No mail is sent: it came back. Change the address or give it again',
  mail_complaint: 'No mail is sent: its reader called it spam. Give the address again',
  number_at_risk: 'No texts are sent: the number is at risk. `otl user clear-phone-risk` ends it',
  user_disabled: 'The user is disabled, or has deleted their account',
};

const FAILURES: Readonly<Record<string, string>> = {
  auth_invalid_credentials: 'wrong code',
  auth_otp_passcode_expired: 'right code, too late',
  auth_locked: 'refused: codes are locked',
  magic_link_code_invalid: 'link is used, expired or wrong',
  user_not_active: 'the user is disabled',
  passkey_invalid: 'wrong passkey',
};

const SENT: Readonly<Record<string, string>> = {
  email: 'Code sent by mail',
  sms: 'Code sent by text',
  link: 'Link sent by mail',
  direct: 'Code given to the backend of the application, which passes it on',
};

const text = (value: string | number | undefined) => (value === undefined ? '' : String(value));
const answerOf = ({ answer }: TimelineRecord) => (answer === undefined ? '' : `: ${answer}`);
const to = ({ recipient }: TimelineRecord) => (recipient === undefined ? '' : ` to ${recipient}`);

const MESSAGES: Readonly<Record<MessageEvent, (event: TimelineRecord) => string>> = {
  'message.sent': (event) =>
    `${event.notice === undefined ? (SENT[text(event.sent)] ?? 'Sent') : `Notice (${event.notice}) sent`}${to(event)}`,
  'message.refused': (event) =>
    `NOT SENT${to(event)}: ${[REFUSALS[text(event.refusal) as SendRefusal] ?? text(event.refusal), event.provider_error, event.until && `until ${event.until}`].filter(Boolean).join(', ')}`,
  'message.delivered': (event) =>
    event.sent === 'sms' ? `Text taken by its network${answerOf(event)}` : 'Mail arrived at its server',
  'message.delayed': (event) => `Delayed: ${text(event.delay)}`,
  'message.bounced': (event) =>
    event.sent === 'sms'
      ? `TEXT NOT DELIVERED${answerOf(event)}`
      : `${event.bounce === 'Permanent' ? 'CAME BACK for good' : 'Came back for now'}: ${[event.bounce_kind, event.status_code].filter(Boolean).join(' ')}`,
  'message.complained': () => 'Its reader called the mail SPAM',
};

/** What happened, in one sentence. */
export function wordsOf(event: TimelineRecord): string {
  const { type, method, channel, operation, result } = event;
  if (Object.hasOwn(MESSAGES, type)) return MESSAGES[type as MessageEvent](event);
  const how = text(method ?? channel ?? operation);
  const said = type === 'login.failed' ? (FAILURES[text(result)] ?? text(result)) : '';
  return [type, how, said].filter(Boolean).join('  ');
}

/** What keeps codes from the user, a line each. */
export function holdWords({ reason, app_id, since, until }: HoldRecord): string {
  const where = app_id === undefined ? '' : ` in the application ${app_id}`;
  const when = until === undefined ? '' : ` until ${until}`;
  const from = since === undefined ? '' : ` (since ${since})`;
  return `${HOLDS[reason]}${where}${when}${from}`;
}
