// Screen to find people.

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
