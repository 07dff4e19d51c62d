// Renders events as sentences: what happened, and what to do about it.

import { describeNextStep } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { Json } from '../engine/document.ts';
import { buildScreenUrl, type ScreenData } from '../engine/render.ts';
import { renderSentence, renderText, renderTime, toAttributeText } from '../engine/values.ts';
import { describeOrigin, describeTimelineEvent } from './event-sentences.ts';

const isMessage = ({ type }: Json): boolean => String(type).startsWith('message.');

export const filterMessages = (events: readonly Json[]): readonly Json[] => events.filter(isMessage);

/** Event fields that the sentence about an event does not mention. The console shows them below the sentence. */
const DETAILS = ['operator', 'reason'];
/**
 * Fields that the console shows below an event about a problem. The request ID lets an engineer find the request in the logs.
 */
const PROBLEM_DETAILS = [...DETAILS, 'request_id'];

const GOOD = ['login.succeeded', 'message.delivered', 'user.unlocked', 'user.erasure_cancelled'];
const BAD = [
  ...['message.refused', 'message.bounced', 'message.complained', 'login.failed', 'login.locked'],
  ...['token.reused', 'client.refused', 'logout.failed', 'user.suspended'],
];

/** Renders a mark for good or bad events. Screen readers read the mark as a word. */
function markHtml({ type }: TimelineRecord): string {
  if (BAD.includes(type)) return '<span class="tone no" role="img" aria-label="Problem">!</span>';
  return GOOD.includes(type)
    ? '<span class="tone yes" role="img" aria-label="Success">✓</span>'
    : '<span class="tone" aria-hidden="true">·</span>';
}

/** Renders a link to the person of an event, on a screen that lists the events of several people. */
const personHtml = (of: ScreenData, { user_id, recipient }: Json): string =>
  typeof user_id === 'string'
    ? `<a href="${buildScreenUrl(of, `people/${encodeURIComponent(user_id)}`)}">Person${recipient === undefined ? ` ${renderText(user_id)}` : ` with ${renderText(String(recipient))}`}</a>`
    : '<span>no person is known</span>';

function eventHtml(event: Json, all: readonly Json[], of: ScreenData | undefined): string {
  const record = event as unknown as TimelineRecord;
  // After the failed login that caused a lock, the user cannot try again at once.
  const hasLocked =
    event.type === 'login.failed' &&
    event.request_id !== undefined &&
    all.some(({ type, request_id }) => type === 'login.locked' && request_id === event.request_id);
  const next = hasLocked ? undefined : describeNextStep(record);
  const details = (BAD.includes(record.type) ? PROBLEM_DETAILS : DETAILS)
    .filter((name) => event[name] !== undefined)
    .map(
      (name) =>
        `<span>${toAttributeText(name.replace('_id', ' ID'))}: ${renderText(String(event[name]))}</span>`,
    );
  const person = of ? [personHtml(of, event)] : [];
  const place = describeOrigin(record);
  const meta = [...person, ...(place ? [`<span>${renderText(place)}</span>`] : []), ...details];
  return `<li class="event">${markHtml(record)}<div><span class="soft">${renderTime(record.time)}</span><p>${renderSentence(describeTimelineEvent(record))}</p>${next ? `<p class="next">${toAttributeText(next)}</p>` : ''}${meta.length > 0 ? `<p class="soft meta">${meta.join('')}</p>` : ''}</div></li>`;
}

/**
 * Renders a list of events, newest first as the API returns them, or the given text if there are none.
 * @param of screen whose events concern several people, so that each event links to its person
 */
export const eventsHtml = (events: readonly Json[], empty: string, of?: ScreenData): string =>
  events.length === 0
    ? `<p class="card soft">${toAttributeText(empty)}</p>`
    : `<ol class="items">${events.map((event) => eventHtml(event, events, of)).join('')}</ol>`;
