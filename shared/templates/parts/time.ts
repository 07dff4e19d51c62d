import type { Language } from '../language.ts';

const MILLISECONDS = 1000;

/** Renders a time (epoch seconds) as HTML in UTC. A script then shows it in the reader's time zone. */
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
