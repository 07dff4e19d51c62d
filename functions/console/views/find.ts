import type { Json } from '../engine/document.ts';
import {
  actsHtml,
  hrefOf,
  listHtml,
  recordsOf,
  type Shown,
  troubleHtml,
  type View,
} from '../engine/render.ts';
import { plainly, shown, titleOf, words } from '../engine/values.ts';
import { eventsHtml } from './events.ts';

/** Finding people, and messages to addresses that may be nobody's. */

const valueIn = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'value' in given ? String(given.value) : String(given ?? '');

function personItem(of: Shown, _read: string, user: Json): string {
  const { user_id, status, found_by } = user;
  const facts = [
    valueIn(user.email),
    valueIn(user.phone_number),
    user.username && `@${user.username}`,
  ].filter(Boolean);
  const off = status === 'Disabled' ? ' <span class="tag off">Disabled</span>' : '';
  const by =
    typeof found_by === 'string' ? `<span>found by ${plainly(words(found_by).toLowerCase())}</span>` : '';
  return `<li><a href="${hrefOf(of, `people/${encodeURIComponent(String(user_id))}`)}">${shown(titleOf(user))}</a>${off}<p class="soft meta">${facts.map((fact) => `<span>${shown(String(fact))}</span>`).join('')}${by}</p></li>`;
}

/** A short list to choose from; nothing before something was typed. */
export function findView(of: Shown): View {
  const acts = actsHtml(of, 'findUsers');
  if (!of.answers.has('findUsers'))
    return {
      html: `<p>Type above what the person says: the beginning of an email address, a name or a username, a whole phone number, an external ID, a user ID or a session ID. The key <kbd>/</kbd> leads there from every page.</p>${acts}`,
    };
  if (recordsOf(of, 'findUsers').length > 0) return { html: listHtml(of, 'findUsers', personItem) };
  const trouble = troubleHtml(of, 'findUsers');
  const typed = of.query.beginning ?? '';
  const to =
    typed.includes('@') || typed.startsWith('+')
      ? `<p><a class="act" href="${hrefOf(of, 'deliveries', { to: typed })}">Was anything sent to it?</a></p>`
      : '';
  return {
    html:
      trouble ||
      `<p class="card">Nobody is found by ${shown(typed)}. Try fewer letters, or another way the person may have signed up with.</p>${to}${acts}`,
  };
}

/** Messages to an address, also one that no user has. */
export function deliveriesView(of: Shown): View {
  const form = `<form class="wide" method="get" action="${hrefOf(of, 'deliveries')}"><label for="to">Email address or phone number</label><input id="to" name="to" value="${plainly(of.query.to ?? '')}" maxlength="320" autocomplete="off" spellcheck="false"><button class="button">Show deliveries</button></form>`;
  const answer = of.answers.get('listDeliveries');
  if (!answer) return { html: form };
  if (!answer.ok) return { html: `${form}${troubleHtml(of, 'listDeliveries')}` };
  const { user_id, next_cursor } = answer.json;
  const user =
    typeof user_id === 'string'
      ? `<p><a class="act" href="${hrefOf(of, `people/${encodeURIComponent(user_id)}`)}">The person who has it</a></p>`
      : '<p class="soft">No user has this address.</p>';
  const more =
    typeof next_cursor === 'string'
      ? `<p><a class="act" href="${hrefOf(of, 'deliveries', { to: of.query.to ?? '', cursor: next_cursor })}">Earlier</a></p>`
      : '';
  const empty =
    'Nothing was sent to it, and nothing refused, in the last 30 days. Ask for the address that the account was made with.';
  return { html: `${form}${user}${eventsHtml(recordsOf(of, 'listDeliveries'), empty)}${more}` };
}
