// Screen of a person for support: the state in a sentence, the actions that make sense now, and what happened.

import { describeHold } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import { isJson, type Json } from '../engine/document.ts';
import { listActions, resolveParameters } from '../engine/home.ts';
import { findApplicationName, findNamedWords } from '../engine/names.ts';
import {
  buildOwnUrl,
  buildScreenUrl,
  findAnswerSchema,
  isDestructive,
  itemHtml,
  listHtml,
  readRecord,
  readRecords,
  renderActions,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { labelAction } from '../engine/titles.ts';
import {
  countOf,
  fieldNames,
  renderSentence,
  renderText,
  renderTime,
  toAttributeText,
  wordedFactsHtml,
} from '../engine/values.ts';
import { describeAction } from '../words/actions.ts';
import { describeMethod, describeOrigin } from './event-sentences.ts';
import { eventsHtml, filterMessages } from './events.ts';

/** Fields that identify the person, shown first. */
const IDENTITY_FIELDS = [
  'email',
  'phone_number',
  'username',
  'external_user_id',
  'external_ids',
  'user_id',
  'last_auth',
  'created_at',
];

/** Fields that are not listed, because the sentence about the person's state already mentions them. */
const STATE_FIELDS = ['status', 'erasure_at', 'recovery', 'test'];

/** Number of events that the page of a person shows at once. */
const LATEST_EVENTS = 10;

/** IDs of the operations that remove the reasons why a user gets no codes, by reason. */
const REMEDY: Readonly<Record<HoldRecord['reason'], string>> = {
  wrong_codes: 'unlockUser',
  codes_off: 'unlockUser',
  number_at_risk: 'clearPhoneRisk',
  mail_bounced: 'updateUser',
  mail_complaint: 'updateUser',
  user_disabled: 'updateUser',
};

type Operation = ReturnType<typeof listActions>[number];

const actLink = (of: ScreenData, operation: Operation): string =>
  `<li><a class="act${isDestructive(operation) ? ' bad-act' : ''}" href="${buildOwnUrl(of, { act: operation.id })}">${toAttributeText(labelAction(operation))}</a><p class="soft">${toAttributeText(describeAction(operation))}</p></li>`;

/** Lists the actions of the screen that the operator's role permits. */
const allowed = (of: ScreenData) =>
  of.screen.reads.flatMap((read) =>
    listActions(of.document, { screen: of.screen, read }, of.role).filter((operation) =>
      resolveParameters(operation, of.parameters),
    ),
  );

/** Returns the reasons why the person gets no codes. */
function readHolds(of: ScreenData): readonly HoldRecord[] {
  const answer = of.answers.get('userTimeline');
  return answer?.ok && Array.isArray(answer.json.holds)
    ? (answer.json.holds.filter(isJson) as unknown as readonly HoldRecord[])
    : [];
}

/** Describes the person's last login, with its method if this page of events contains that login. */
function describeLastLogin(of: ScreenData, { last_auth }: Json): string {
  if (typeof last_auth !== 'string') return 'Has not logged in yet.';
  const login = readRecords(of, 'userTimeline').find(({ type }) => type === 'login.succeeded');
  const how = login ? describeMethod(login as unknown as TimelineRecord) : '';
  return `Last login ${renderTime(last_auth)}${how ? ` ${toAttributeText(how)}` : ''}.`;
}

/**
 * Renders the person's state: each reason why the person cannot log in or gets no codes, or else that everything works.
 */
function stateHtml(of: ScreenData, user: Json, holds: readonly HoldRecord[]): string {
  const { status, erasure_at, recovery, test } = user;
  const until = isJson(recovery) ? recovery : {};
  const from = typeof until.effective_at === 'string' ? ` from ${renderTime(until.effective_at)}` : '';
  const granted = typeof until.ends_at === 'string' ? ` until ${renderTime(until.ends_at)}` : '';
  const problems = [
    ...(typeof erasure_at === 'string'
      ? [`Deleted by the person. Everything will be erased ${renderTime(erasure_at)}.`]
      : status === 'Disabled' && !holds.some(({ reason }) => reason === 'user_disabled')
        ? ['The user is disabled.']
        : []),
    ...holds.map((hold) =>
      hold.reason === 'wrong_codes' && hold.until !== undefined
        ? `Locked until ${renderTime(hold.until)} after ${hold.tries === undefined ? 'wrong codes' : countOf(hold.tries, 'wrong code')}${hold.app_id === undefined ? '' : ` in the application ${renderText(findApplicationName(of, hold.app_id))}`}.`
        : `${renderSentence(describeHold(hold))}.`,
    ),
  ];
  const notes = [
    test === true ? 'This is a test user, who gets no messages.' : '',
    isJson(recovery) ? `A recovery is under way${from}${granted}.` : '',
  ].filter(Boolean);
  const last = describeLastLogin(of, user);
  const sentence =
    problems.length > 0
      ? problems.map((problem) => `<p class="state">${problem}</p>`).join('')
      : of.answers.get('userTimeline')?.ok
        ? `<p class="state">${typeof user.last_auth === 'string' ? 'Everything works.' : 'Nothing prevents a login.'}</p>`
        : '';
  return `<section class="card ${problems.length > 0 ? 'bad' : 'good'}">${sentence}<p>${last}${notes.length > 0 ? ` ${notes.join(' ')}` : ''}</p></section>`;
}

/** Lists the IDs of the actions that make sense in the person's state. */
function chooseActions(of: ScreenData, user: Json, holds: readonly HoldRecord[]): readonly string[] {
  const sessions = readRecords(of, 'listSessions');
  return [
    ...holds.map(({ reason }) => REMEDY[reason]),
    ...(typeof user.erasure_at === 'string' ? ['cancelErasure'] : []),
    'updateUser',
    ...(sessions.length > 0 ? ['endSessions'] : []),
  ];
}

/** Renders the actions that make sense now, and the others behind "More", destructive actions last. */
function actionsHtml(of: ScreenData, chosen: readonly string[]): string {
  const all = allowed(of).toSorted((one, other) => Number(isDestructive(one)) - Number(isDestructive(other)));
  const now = [...new Set(chosen)].flatMap((id) => all.filter((operation) => operation.id === id));
  const later = all.filter((operation) => !now.includes(operation));
  const list = (operations: readonly Operation[]) =>
    `<ul class="choices2">${operations.map((operation) => actLink(of, operation)).join('')}</ul>`;
  const more =
    later.length > 0 ? `<details class="part"><summary>More actions</summary>${list(later)}</details>` : '';
  return all.length === 0
    ? ''
    : `<h2>What you can do</h2><section class="card">${now.length > 0 ? list(now) : ''}${more}</section>`;
}

/** Renders a session by the device and network address of its login, if this page of events contains the login. */
function sessionItem(of: ScreenData, read: string, session: Json): string {
  const { session_id, start_time, expiration_time, device_bound } = session;
  const login = readRecords(of, 'userTimeline').find(
    ({ type, session_id: id }) => type === 'login.succeeded' && id === session_id,
  );
  const event = login as unknown as TimelineRecord | undefined;
  const known = event ? describeOrigin(event) : '';
  const place =
    event?.user_agent === undefined ? ['Unknown device', known].filter(Boolean).join(', ') : known;
  const how = event ? describeMethod(event) : '';
  const application =
    event?.application_id === undefined
      ? ''
      : ` in ${renderText(findApplicationName(of, String(event.application_id)))}`;
  return `<li><strong>${renderText(place)}</strong><p>Logged in ${renderTime(String(start_time))}${how ? ` ${toAttributeText(how)}` : ''}${application}.</p><p class="soft meta"><span>ends ${renderTime(String(expiration_time))} without use</span>${device_bound === true ? '<span>bound to the device</span>' : ''}</p>${renderActions(of, read, session)}</li>`;
}

const isView = ({ type }: Json): boolean => type === 'operator.viewed_user';

export function personView(of: ScreenData): View {
  const user = readRecord(of, 'getUser');
  if (!user) return { html: renderError(of, 'getUser') };
  const events = readRecords(of, 'userTimeline');
  const [views, story] = [events.filter(isView), events.filter((event) => !isView(event))];
  const schema = findAnswerSchema(of, 'getUser');
  const words = findNamedWords(of, 'users');
  const holds = readHolds(of);
  const rest = fieldNames(of.document, user, schema).filter(
    (name) => ![...IDENTITY_FIELDS, ...STATE_FIELDS].includes(name),
  );
  const timeline = of.answers.get('userTimeline');
  const next = timeline?.ok ? timeline.json.next_cursor : undefined;
  const earlier =
    typeof next === 'string'
      ? `<p><a class="act" href="${buildOwnUrl(of, { cursor: next })}">Earlier events</a></p>`
      : '';
  // The first page of events shows only the latest ones at once.
  const latest = of.query.cursor === undefined ? LATEST_EVENTS : story.length;
  const others = story.slice(latest);
  const more =
    others.length > 0
      ? `<details class="part"><summary>Show ${countOf(others.length, 'earlier event')}</summary>${eventsHtml(others, '')}</details>`
      : '';
  const part = (title: string, read: string, empty: string, item: typeof sessionItem = itemHtml) =>
    of.answers.has(read)
      ? `<h2>${title}</h2>${listHtml({ ...of, screen: { ...of.screen, empty } }, read, item)}`
      : '';
  const noMessage =
    timeline?.ok && filterMessages(events).length === 0
      ? '<p class="soft">No message on this page of events. None was requested, or it was requested for another address: see Deliveries.</p>'
      : '';
  return {
    html: `${stateHtml(of, user, holds)}${renderError(of, 'userTimeline')}
${actionsHtml(of, chooseActions(of, user, holds))}
<h2>Who this is</h2><section class="card">${wordedFactsHtml(of.document, user, schema, { names: IDENTITY_FIELDS, words })}</section>
<h2>What happened</h2>${noMessage}${eventsHtml(story.slice(0, latest), 'Nothing on this page of events.')}${more}${earlier}<p><a href="${buildScreenUrl(of, 'changes', { user_id: String(user.user_id) })}">Changes by operators and clients, with values</a></p>
${part('Where they are logged in', 'listSessions', 'Not logged in anywhere.', sessionItem)}
${part('Passkeys', 'listPasskeys', 'No passkey. The person can create one on the account page, or after a login.')}
${views.length > 0 ? `<details class="part"><summary>Operators who looked at this page</summary>${eventsHtml(views, '')}</details>` : ''}
<details class="part"><summary>Complete record</summary>${wordedFactsHtml(of.document, user, schema, { names: rest, words })}</details>`,
  };
}
