// Renders events as sentences: what happened, and what to do about it.

import { describeEvent, describeNextStep } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { Json } from '../engine/document.ts';
import { renderText, renderTime, toAttributeText } from '../engine/values.ts';

const isMessage = ({ type }: Json): boolean => typeof type === 'string' && type.startsWith('message.');

export const filterMessages = (events: readonly Json[]): readonly Json[] => events.filter(isMessage);
export const filterOtherEvents = (events: readonly Json[]): readonly Json[] =>
  events.filter((event) => !isMessage(event));

/** Event fields that the sentence about an event does not mention. The console shows them below the sentence. */
const DETAILS = ['operator', 'reason', 'ip_address', 'user_agent'];

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Escapes a sentence and renders the ISO 8601 times in it in a readable form. */
export const renderSentence = (sentence: string): string => renderText(sentence).replace(TIME, renderTime);

function eventHtml(event: Json): string {
  const record = event as unknown as TimelineRecord;
  const next = describeNextStep(record);
  const details = DETAILS.filter((name) => event[name] !== undefined).map(
    (name) =>
      `<span>${toAttributeText(name.replaceAll('_', ' '))}: ${renderText(String(event[name]))}</span>`,
  );
  return `<li><span class="soft">${renderTime(record.time)}</span><p>${renderSentence(describeEvent(record))}</p>${next ? `<p class="next">${toAttributeText(next)}</p>` : ''}${details.length > 0 ? `<p class="soft meta">${details.join('')}</p>` : ''}</li>`;
}

/** Renders a list of events, newest first as the API returns them, or the given text if there are none. */
export const eventsHtml = (events: readonly Json[], empty: string): string =>
  events.length === 0
    ? `<p class="card soft">${toAttributeText(empty)}</p>`
    : `<ol class="items">${events.map(eventHtml).join('')}</ol>`;
