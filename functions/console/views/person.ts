import { holdWords } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import { isJson, type Json } from '../engine/document.ts';
import { actionsOf, parametersFor } from '../engine/home.ts';
import {
  isDestructive,
  listHtml,
  recordOf,
  recordsOf,
  type Shown,
  schemaOf,
  selfOf,
  troubleHtml,
  type View,
} from '../engine/render.ts';
import { factsHtml, fieldNames, moment, plainly, words } from '../engine/values.ts';
import { eventsHtml, messagesIn, othersIn, withMoments } from './events.ts';

/** A person, for support: what keeps codes away, what was sent, where they are logged in, and what can be done. */

const WHO = [
  'email',
  'phone_number',
  'username',
  'external_user_id',
  'external_ids',
  'user_id',
  'last_auth',
  'created_at',
];

/** The action that ends what keeps codes from the user. */
const REMEDY: Readonly<Record<string, string>> = {
  wrong_codes: 'unlockUser',
  codes_off: 'unlockUser',
  number_at_risk: 'clearPhoneRisk',
  mail_bounced: 'updateUser',
  mail_complaint: 'updateUser',
  user_disabled: 'updateUser',
};

const actLink = (of: Shown, act: string, destroys = false): string =>
  `<a class="act${destroys ? ' bad-act' : ''}" href="${selfOf(of, { act })}">${plainly(words(act))}</a>`;

const allowed = (of: Shown) =>
  of.screen.reads.flatMap((read) =>
    actionsOf(of.document, { screen: of.screen, read }, of.role).filter((operation) =>
      parametersFor(operation, of.parameters),
    ),
  );

function holdsHtml(of: Shown): string {
  const answer = of.answers.get('userTimeline');
  if (!answer?.ok) return '';
  const holds = Array.isArray(answer.json.holds)
    ? (answer.json.holds.filter(isJson) as unknown as readonly HoldRecord[])
    : [];
  if (holds.length === 0) return '<p class="card good">Nothing keeps codes from this person now.</p>';
  const may = new Set(allowed(of).map(({ id }) => id));
  return holds
    .map((hold) => {
      const remedy = REMEDY[hold.reason];
      return `<section class="card bad"><p>${withMoments(holdWords(hold))}.</p>${remedy && may.has(remedy) ? `<p class="acts">${actLink(of, remedy)}</p>` : ''}</section>`;
    })
    .join('');
}

/** Status, deletion and recovery, with their times. */
function stateHtml({ status, erasure_at, recovery, test }: Json): string {
  const until = isJson(recovery) ? recovery : {};
  const granted = typeof until.ends_at === 'string' ? ` until ${moment(until.ends_at)}` : '';
  const from = typeof until.effective_at === 'string' ? ` from ${moment(until.effective_at)}` : '';
  const parts = [
    `<span class="tag${status === 'Disabled' ? ' off' : ''}">${plainly(String(status))}</span>`,
    test === true ? '<span class="tag">Test user</span>' : '',
    typeof erasure_at === 'string'
      ? `<span class="tag off">Deleted, is erased ${moment(erasure_at)}</span>`
      : '',
    isJson(recovery) ? `<span class="tag">One kind is enough${from}${granted}</span>` : '',
  ];
  return `<p class="meta">${parts.filter(Boolean).join(' ')}</p>`;
}

/** Each with its consequence, in the words of the API document; what destroys comes last. */
function actionsHtml(of: Shown): string {
  const all = allowed(of).toSorted((one, other) => Number(isDestructive(one)) - Number(isDestructive(other)));
  const items = all.map(
    (operation) =>
      `<li>${actLink(of, operation.id, isDestructive(operation))}<p class="soft">${plainly(operation.summary)}.</p></li>`,
  );
  if (items.length === 0) return '';
  return `<h2>What you can do</h2><section class="card"><ul class="choices2">${items.join('')}</ul></section>`;
}

export function personView(of: Shown): View {
  const user = recordOf(of, 'getUser');
  if (!user) return { html: troubleHtml(of, 'getUser') };
  const events = recordsOf(of, 'userTimeline');
  const schema = schemaOf(of, 'getUser');
  const rest = fieldNames(of.document, user, schema).filter(
    (name) => !WHO.includes(name) && !['status', 'erasure_at', 'recovery', 'test'].includes(name),
  );
  const cursor = of.answers.get('userTimeline');
  const next = cursor?.ok ? cursor.json.next_cursor : undefined;
  const earlier =
    typeof next === 'string'
      ? `<p><a class="act" href="${selfOf(of, { cursor: next })}">Earlier events</a></p>`
      : '';
  const part = (title: string, read: string) =>
    of.answers.has(read)
      ? `<h2>${title}</h2>${listHtml({ ...of, screen: { ...of.screen, empty: 'None.' } }, read)}`
      : '';
  return {
    html: `${stateHtml(user)}
<section class="card">${factsHtml(of.document, user, schema, WHO)}</section>
<h2>Why no code came</h2>${troubleHtml(of, 'userTimeline')}${holdsHtml(of)}
${eventsHtml(messagesIn(events), 'No message on this page of events. Nothing was asked for, or it was asked for with another address: look at Deliveries.')}
${actionsHtml(of)}
${part('Where they are logged in', 'listSessions')}
${part('Passkeys', 'listPasskeys')}
<h2>What else happened</h2>${eventsHtml(othersIn(events), 'Nothing else on this page of events.')}${earlier}
<h2>All of the record</h2><section class="card">${factsHtml(of.document, user, schema, rest)}</section>`,
  };
}
