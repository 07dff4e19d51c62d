import type { Language } from '../language.ts';

/** Times of pages are in UTC, as in the notices: the service knows no time zone of a person. */

const MILLISECONDS = 1000;

/** The day of a time in epoch seconds. */
export function dateIn(language: Language, at: number, timeStyle?: 'short'): string {
  const format = { dateStyle: 'medium', timeZone: 'UTC', ...(timeStyle && { timeStyle }) } as const;
  return new Intl.DateTimeFormat(language, format).format(at * MILLISECONDS);
}

/** A time that a script writes in the reader's zone. */
export function localTime(language: Language, at: number, shows: 'date' | 'time' | 'both'): string {
  const date = new Date(at * MILLISECONDS);
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    dateStyle: shows === 'time' ? undefined : 'medium',
    timeStyle: shows === 'date' ? undefined : 'short',
  });
  const zone = shows === 'date' ? '' : ' UTC';
  return `<time datetime="${date.toISOString()}" data-shows="${shows}">${format.format(date)}${zone}</time>`;
}

export const timeIn = (language: Language, at: number): string => `${dateIn(language, at, 'short')} UTC`;
