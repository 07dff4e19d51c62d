// Screen of a person for support: why codes do not arrive, which messages were sent, sessions, and actions.

import { describeHold } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import { isJson, type Json } from '../engine/document.ts';
import { listActions, resolveParameters } from '../engine/home.ts';
import {
  buildOwnUrl,
  findAnswerSchema,
  isDestructive,
  listHtml,
  readRecord,
  readRecords,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { factsHtml, fieldNames, renderTime, toAttributeText, toWords } from '../engine/values.ts';
import { eventsHtml, filterMessages, filterOtherEvents, renderSentence } from './events.ts';

/** Fields that identify the person. They are shown first. */
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

/** Operation that removes each reason why a user gets no codes: a map from the reason to the operation ID. */
const REMEDY: Readonly<Record<string, string>> = {
  wrong_codes: 'unlockUser',
  codes_off: 'unlockUser',
  number_at_risk: 'clearPhoneRisk',
  mail_bounced: 'updateUser',
  mail_complaint: 'updateUser',
  user_disabled: 'updateUser',
};

const actLink = (of: ScreenData, act: string, destroys = false): string =>
  `<a class="act${destroys ? ' bad-act' : ''}" href="${buildOwnUrl(of, { act })}">${toAttributeText(toWords(act))}</a>`;

/** Lists the actions of the screen that the operator's role permits. */
const allowed = (of: ScreenData) =>
  of.screen.reads.flatMap((read) =>
    listActions(of.document, { screen: of.screen, read }, of.role).filter((operation) =>
      resolveParameters(operation, of.parameters),
    ),
  );

/** Renders the reasons why the person gets no codes, each with the action that removes it. */
function holdsHtml(of: ScreenData): string {
  const answer = of.answers.get('userTimeline');
  if (!answer?.ok) return '';
  const holds = Array.isArray(answer.json.holds)
    ? (answer.json.holds.filter(isJson) as unknown as readonly HoldRecord[])
    : [];
  if (holds.length === 0)
    return '<p class="card good">Nothing prevents this person from getting codes now.</p>';
  const may = new Set(allowed(of).map(({ id }) => id));
  return holds
    .map((hold) => {
      const remedy = REMEDY[hold.reason];
      return `<section class="card bad"><p>${renderSentence(describeHold(hold))}.</p>${remedy && may.has(remedy) ? `<p class="acts">${actLink(of, remedy)}</p>` : ''}</section>`;
    })
    .join('');
}

/** Renders the status of the user, a pending deletion and a pending or granted recovery, with their times. */
function stateHtml({ status, erasure_at, recovery, test }: Json): string {
  const until = isJson(recovery) ? recovery : {};
  const granted = typeof until.ends_at === 'string' ? ` until ${renderTime(until.ends_at)}` : '';
  const from = typeof until.effective_at === 'string' ? ` from ${renderTime(until.effective_at)}` : '';
  const parts = [
    `<span class="tag${status === 'Disabled' ? ' off' : ''}">${toAttributeText(String(status))}</span>`,
    test === true ? '<span class="tag">Test user</span>' : '',
    typeof erasure_at === 'string'
      ? `<span class="tag off">Deleted, will be erased ${renderTime(erasure_at)}</span>`
      : '',
    isJson(recovery) ? `<span class="tag">Recovery${from}${granted}</span>` : '',
  ];
  return `<p class="meta">${parts.filter(Boolean).join(' ')}</p>`;
}

/** Renders the actions with the summaries of the API document, destructive actions last. */
function actionsHtml(of: ScreenData): string {
  const all = allowed(of).toSorted((one, other) => Number(isDestructive(one)) - Number(isDestructive(other)));
  const items = all.map(
    (operation) =>
      `<li>${actLink(of, operation.id, isDestructive(operation))}<p class="soft">${toAttributeText(operation.summary)}.</p></li>`,
  );
  if (items.length === 0) return '';
  return `<h2>What you can do</h2><section class="card"><ul class="choices2">${items.join('')}</ul></section>`;
}

export function personView(of: ScreenData): View {
  const user = readRecord(of, 'getUser');
  if (!user) return { html: renderError(of, 'getUser') };
  const events = readRecords(of, 'userTimeline');
  const schema = findAnswerSchema(of, 'getUser');
  const rest = fieldNames(of.document, user, schema).filter(
    (name) => !IDENTITY_FIELDS.includes(name) && !['status', 'erasure_at', 'recovery', 'test'].includes(name),
  );
  const cursor = of.answers.get('userTimeline');
  const next = cursor?.ok ? cursor.json.next_cursor : undefined;
  const earlier =
    typeof next === 'string'
      ? `<p><a class="act" href="${buildOwnUrl(of, { cursor: next })}">Earlier events</a></p>`
      : '';
  const part = (title: string, read: string) =>
    of.answers.has(read)
      ? `<h2>${title}</h2>${listHtml({ ...of, screen: { ...of.screen, empty: 'None.' } }, read)}`
      : '';
  return {
    html: `${stateHtml(user)}
<section class="card">${factsHtml(of.document, user, schema, IDENTITY_FIELDS)}</section>
<h2>Why no code arrived</h2>${renderError(of, 'userTimeline')}${holdsHtml(of)}
${eventsHtml(filterMessages(events), 'No message on this page of events. None was requested, or it was requested for another address: see Deliveries.')}
${actionsHtml(of)}
${part('Where they are logged in', 'listSessions')}
${part('Passkeys', 'listPasskeys')}
<h2>Other events</h2>${eventsHtml(filterOtherEvents(events), 'No other events on this page.')}${earlier}
<h2>Complete record</h2><section class="card">${factsHtml(of.document, user, schema, rest)}</section>`,
  };
}
