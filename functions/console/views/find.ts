// Screens to find people, and to find messages to an address, even if no user has it.

import type { Json } from '../engine/document.ts';
import {
  buildScreenUrl,
  listHtml,
  readRecords,
  renderActions,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { findRecordTitle, renderText, toAttributeText, toWords } from '../engine/values.ts';
import { eventsHtml } from './events.ts';

const valueIn = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'value' in given ? String(given.value) : String(given ?? '');

function personItem(of: ScreenData, _read: string, user: Json): string {
  const { user_id, status, found_by } = user;
  const facts = [
    valueIn(user.email),
    valueIn(user.phone_number),
    user.username && `@${user.username}`,
  ].filter(Boolean);
  const off = status === 'Disabled' ? ' <span class="tag off">Disabled</span>' : '';
  const by =
    typeof found_by === 'string'
      ? `<span>found by ${toAttributeText(toWords(found_by).toLowerCase())}</span>`
      : '';
  return `<li><a href="${buildScreenUrl(of, `people/${encodeURIComponent(String(user_id))}`)}">${renderText(findRecordTitle(user))}</a>${off}<p class="soft meta">${facts.map((fact) => `<span>${renderText(String(fact))}</span>`).join('')}${by}</p></li>`;
}

/** Renders the people that a search has found, or instructions before the first search. */
export function findView(of: ScreenData): View {
  const acts = renderActions(of, 'findUsers');
  if (!of.answers.has('findUsers'))
    return {
      html: `<p>Type what the person tells you into the search field above: the beginning of an email address, a name or a username, a complete phone number, an external ID, a user ID or a session ID. Press <kbd>/</kbd> on any page to go there.</p>${acts}`,
    };
  if (readRecords(of, 'findUsers').length > 0) return { html: listHtml(of, 'findUsers', personItem) };
  const trouble = renderError(of, 'findUsers');
  const typed = of.query.beginning ?? '';
  const to =
    typed.includes('@') || typed.startsWith('+')
      ? `<p><a class="act" href="${buildScreenUrl(of, 'deliveries', { to: typed })}">Show messages to this address</a></p>`
      : '';
  return {
    html:
      trouble ||
      `<p class="card">No person found for ${renderText(typed)}. Try fewer letters, or another identifier with which the person may have signed up.</p>${to}${acts}`,
  };
}

/** Renders the messages that were sent to an address, even if no user has that address. */
export function deliveriesView(of: ScreenData): View {
  const form = `<form class="wide" method="get" action="${buildScreenUrl(of, 'deliveries')}"><label for="to">Email address or phone number</label><input id="to" name="to" value="${toAttributeText(of.query.to ?? '')}" maxlength="320" autocomplete="off" spellcheck="false"><button class="button">Show deliveries</button></form>`;
  const answer = of.answers.get('listDeliveries');
  if (!answer) return { html: form };
  if (!answer.ok) return { html: `${form}${renderError(of, 'listDeliveries')}` };
  const { user_id, next_cursor } = answer.json;
  const user =
    typeof user_id === 'string'
      ? `<p><a class="act" href="${buildScreenUrl(of, `people/${encodeURIComponent(user_id)}`)}">Person with this address</a></p>`
      : '<p class="soft">No user has this address.</p>';
  const more =
    typeof next_cursor === 'string'
      ? `<p><a class="act" href="${buildScreenUrl(of, 'deliveries', { to: of.query.to ?? '', cursor: next_cursor })}">Earlier</a></p>`
      : '';
  const empty =
    'No message to this address was sent or refused in the last 30 days. Ask for the address with which the account was created.';
  return { html: `${form}${user}${eventsHtml(readRecords(of, 'listDeliveries'), empty)}${more}` };
}
