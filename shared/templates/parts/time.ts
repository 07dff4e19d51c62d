import type { Language } from '../language.ts';

/** Times of pages are in UTC, as in the notices: the service knows no time zone of a person. */

const MILLISECONDS = 1000;

/** The day of a time in epoch seconds. */
export function dateIn(language: Language, at: number, timeStyle?: 'short'): string {
  const format = { dateStyle: 'medium', timeZone: 'UTC', ...(timeStyle && { timeStyle }) } as const;
  return new Intl.DateTimeFormat(language, format).format(at * MILLISECONDS);
}

export const timeIn = (language: Language, at: number): string => `${dateIn(language, at, 'short')} UTC`;
