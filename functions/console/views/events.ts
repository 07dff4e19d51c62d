import { nextStepOf, wordsOf } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { Json } from '../engine/document.ts';
import { moment, plainly, shown } from '../engine/values.ts';

/** Events in sentences: what happened, and what to do about it. */

const isMessage = ({ type }: Json): boolean => typeof type === 'string' && type.startsWith('message.');

export const messagesIn = (events: readonly Json[]): readonly Json[] => events.filter(isMessage);
export const othersIn = (events: readonly Json[]): readonly Json[] =>
  events.filter((event) => !isMessage(event));

/** What of an event the sentence does not say, for who needs it. */
const DETAILS = ['operator', 'reason', 'ip_address', 'user_agent'];

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A sentence with its times as people read them. */
export const withMoments = (sentence: string): string => shown(sentence).replace(TIME, moment);

function eventHtml(event: Json): string {
  const record = event as unknown as TimelineRecord;
  const next = nextStepOf(record);
  const details = DETAILS.filter((name) => event[name] !== undefined).map(
    (name) => `<span>${plainly(name.replaceAll('_', ' '))}: ${shown(String(event[name]))}</span>`,
  );
  return `<li><span class="soft">${moment(record.time)}</span><p>${withMoments(wordsOf(record))}</p>${next ? `<p class="next">${plainly(next)}</p>` : ''}${details.length > 0 ? `<p class="soft meta">${details.join('')}</p>` : ''}</li>`;
}

/** Newest first, as the API gives them. */
export const eventsHtml = (events: readonly Json[], empty: string): string =>
  events.length === 0
    ? `<p class="card soft">${plainly(empty)}</p>`
    : `<ol class="items">${events.map(eventHtml).join('')}</ol>`;
