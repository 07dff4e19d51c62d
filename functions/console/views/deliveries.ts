// Screen of messages: the failures of the last hours or days, or all messages to an address.

import { MESSAGES_KEPT_SECONDS, SECONDS_PER_DAY } from '../../../shared/domain/basis/limits.ts';
import { toWireDate } from '../../../shared/domain/basis/time.ts';
import type { Json } from '../engine/document.ts';
import {
  buildOwnUrl,
  buildScreenUrl,
  readRecords,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { toAttributeText, toWords } from '../engine/values.ts';
import { eventsHtml } from './events.ts';

const READ = 'listDeliveries';

/** Periods, in days, for which the screen can list failures, with their labels. */
const PERIODS = [
  [1, '24 hours'],
  [7, '7 days'],
  [MESSAGES_KEPT_SECONDS / SECONDS_PER_DAY, '30 days'],
] as const;

type Query = Readonly<Record<string, string>>;

const choosePeriod = ({ days }: Query) => PERIODS.find(([count]) => String(count) === days) ?? PERIODS[0];

/**
 * Returns the query for the failed deliveries of the chosen period or, if the operator searches for an address, for all
 * messages to that address.
 */
export const deliveriesQuery = (query: Query, now: number): Query =>
  query.to?.trim()
    ? {}
    : {
        ...{ status: 'failed', limit: '100' },
        since: toWireDate(now - choosePeriod(query)[0] * SECONDS_PER_DAY),
      };

/** Counts failures by their reasons, the most frequent first. */
function reasonsHtml(failures: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const { refusal, type } of failures) {
    const reason = toWords(String(refusal ?? type).replace('message.', ''));
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const tags = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(
      ([reason, count]) => `<span class="tag">${toAttributeText(reason)} <strong>${count}</strong></span>`,
    );
  return tags.length === 0 ? '' : `<p class="tags">${tags.join(' ')}</p>`;
}

/** Renders the failed messages of the tenant in the chosen period, newest first. */
function failuresHtml(of: ScreenData): string {
  const [days, period] = choosePeriod(of.query);
  const failures = readRecords(of, READ);
  const periods = PERIODS.map(
    ([count, name]) =>
      `<a class="act" href="${buildOwnUrl(of, { days: String(count) })}"${count === days ? ' aria-current="true"' : ''}>${name}</a>`,
  );
  const empty = `No message failed in the last ${period}. If a code did not arrive, search for the address above.`;
  return `<h2>Failed in the last ${period}</h2><p class="acts">${periods.join('')}</p>${renderError(of, READ)}${reasonsHtml(failures)}${of.answers.get(READ)?.ok ? eventsHtml(failures, empty, of) : ''}`;
}

/** Renders the messages to an address, even if no user has that address. */
function messagesHtml(of: ScreenData): string {
  const answer = of.answers.get(READ);
  if (!answer?.ok) return renderError(of, READ);
  const { user_id } = answer.json;
  const user =
    typeof user_id === 'string'
      ? `<p><a class="act" href="${buildScreenUrl(of, `people/${encodeURIComponent(user_id)}`)}">Person with this address</a></p>`
      : '<p class="soft">No user has this address.</p>';
  const empty =
    'No message to this address was sent or refused in the last 30 days. Ask for the address with which the account was created.';
  return `${user}${eventsHtml(readRecords(of, READ), empty)}<p><a href="${buildOwnUrl(of)}">All failed messages</a></p>`;
}

export function deliveriesView(of: ScreenData): View {
  const answer = of.answers.get(READ);
  const next = answer?.ok ? answer.json.next_cursor : undefined;
  const { act: _, cursor: __, ...query } = of.query;
  const more =
    typeof next === 'string'
      ? `<p><a class="act" href="${buildOwnUrl(of, { ...query, cursor: next })}">Earlier</a></p>`
      : '';
  return {
    html: `<form class="filter" method="get" action="${buildOwnUrl(of)}"><label for="to">Messages to an email address or phone number<input id="to" name="to" value="${toAttributeText(of.query.to ?? '')}" maxlength="320" autocomplete="off" spellcheck="false"></label><button class="act">Show</button></form>${of.query.to?.trim() ? messagesHtml(of) : failuresHtml(of)}${more}`,
  };
}
