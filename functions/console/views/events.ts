// Renders events as sentences: what happened, and what to do about it.

import { nextStepOf, wordsOf } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { Json } from '../engine/document.ts';
import { moment, plainly, shown } from '../engine/values.ts';

const isMessage = ({ type }: Json): boolean => typeof type === 'string' && type.startsWith('message.');

export const messagesIn = (events: readonly Json[]): readonly Json[] => events.filter(isMessage);
export const othersIn = (events: readonly Json[]): readonly Json[] =>
  events.filter((event) => !isMessage(event));

/** Fields of an event that its sentence does not mention. They are shown below it. */
const DETAILS = ['operator', 'reason', 'ip_address', 'user_agent'];

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Escapes a sentence and renders the ISO 8601 times in it for reading. */
export const withMoments = (sentence: string): string => shown(sentence).replace(TIME, moment);

function eventHtml(event: Json): string {
  const record = event as unknown as TimelineRecord;
  const next = nextStepOf(record);
  const details = DETAILS.filter((name) => event[name] !== undefined).map(
    (name) => `<span>${plainly(name.replaceAll('_', ' '))}: ${shown(String(event[name]))}</span>`,
  );
  return `<li><span class="soft">${moment(record.time)}</span><p>${withMoments(wordsOf(record))}</p>${next ? `<p class="next">${plainly(next)}</p>` : ''}${details.length > 0 ? `<p class="soft meta">${details.join('')}</p>` : ''}</li>`;
}

/** Renders a list of events, newest first as the API returns them, or the given text if there are none. */
export const eventsHtml = (events: readonly Json[], empty: string): string =>
  events.length === 0
    ? `<p class="card soft">${plainly(empty)}</p>`
    : `<ol class="items">${events.map(eventHtml).join('')}</ol>`;
