// Renders values of records as HTML. Stored values are untrusted: no URL becomes a link, and no character can reverse or hide
// the text around it.

import { escapeHtml, plainText } from '../../../shared/templates/html.ts';
import type { FieldWords, WordsTable } from '../words/words.ts';
import { type ApiDocument, isJson, type Json, listFields, type Schema } from './document.ts';

/** Invisible characters, including those that reverse or hide the text next to them (Unicode TR36 §2.4). */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Renders the code point of an invisible character, such as `U+202E`. */
const codePointHtml = (mark: string): string =>
  `<span class="mark">U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}</span>`;

/** Escapes untrusted text, isolates its direction, and shows invisible characters as code points. */
export const renderText = (text: string): string =>
  `<bdi>${escapeHtml(plainText(text)).replace(INVISIBLE, codePointHtml).replaceAll('\n', '<br>')}</bdi>`;

/** Escapes untrusted text for a title or an attribute, where no markup is possible. Removes invisible characters. */
export const toAttributeText = (text: string): string =>
  escapeHtml(plainText(text).replace(INVISIBLE, '').replaceAll('\n', ' '));

/** Converts a name of the API to words: `redirect_uris` to `Redirect URIs`, `createApplication` to `Create application`. */
export function toWords(name: string): string {
  const spaced = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:id|ids|uri|uris|sms|url|rp|acr|ttl|sso|ip)\b/g, (word) =>
      word.endsWith('s') && word !== 'sms' ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase(),
    );
  return `${spaced[0]?.toUpperCase() ?? ''}${spaced.slice(1)}`;
}

/** Labels of fields that no form contains and whose names alone are not clear enough. */
const LABELS: Readonly<Record<string, string>> = {
  last_auth: 'Last login',
  created_at: 'Created',
  updated_at: 'Last change',
  last_used_at: 'Last used',
  last_used_on: 'Last used',
  org_id: 'Organization ID',
  app_id: 'Application ID',
  live_secrets: 'Valid secrets',
  opens_at: 'Can log in alone from',
};

/** Returns the label of a field for which the folder `words/` defines no label. */
export const toLabel = (name: string): string =>
  Object.hasOwn(LABELS, name) ? (LABELS[name] ?? '') : toWords(name);

/** Escapes a description from the API document, and renders text in backticks as code. */
export const renderDescription = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`);

/** Returns the default value in a description from the API document, such as `300` in `(default: 300)`, if it is one value. */
export const findDefault = ({ description = '' }: Schema): string | undefined =>
  /\bdefault: `?([\w.]+)`?[);]/.exec(description)?.[1];

/** Formats an ISO 8601 time in UTC, like `2026-01-31 13:05 UTC`. Returns a date without a time unchanged. */
const formatTime = (iso: string): string => iso.replace(/T(\d\d:\d\d).*/, ' $1 UTC');

/** Renders an ISO 8601 time or date, which a script shows in the reader's time zone. Shows any other text unchanged. */
export function renderTime(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return renderText(text);
  const iso = DATE.test(text) ? text : at.toISOString();
  return `<time datetime="${iso}">${formatTime(iso)}</time>`;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMES = /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?\b/g;

/** Escapes a sentence and renders the ISO 8601 times and dates in it in a readable form. */
export const renderSentence = (sentence: string): string => renderText(sentence).replace(TIMES, renderTime);

/** Formats the ISO 8601 times in a sentence in UTC. */
export const formatTimes = (sentence: string): string => sentence.replace(TIMES, formatTime);

/** Sizes of the units of durations in seconds, largest first. */
const UNITS = { day: 86_400, hour: 3600, minute: 60, second: 1 };

/** Describes a duration in words, such as `1 day 12 hours`. */
export function describeDuration(amount: number, unit: NonNullable<FieldWords['unit']>): string {
  let left = amount * (unit === 'minutes' ? UNITS.minute : 1);
  const parts = Object.entries(UNITS).flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [countOf(count, name)];
  });
  return parts.join(' ') || `0 ${unit}`;
}

/** Returns a count with its noun, such as `1 login` or `2 logins`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const NONE = '<span class="soft">–</span>';

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Renders a value of a record as HTML. The names of an object's fields come from `words`, or else from the schema. */
export function valueHtml(
  document: ApiDocument,
  value: unknown,
  schema: Schema = {},
  words: Partial<FieldWords> = {},
): string {
  if (isEmpty(value)) return NONE;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string')
    return ['date-time', 'date'].includes(schema.format ?? '')
      ? renderTime(value)
      : renderText(words.choices?.[value] ?? value);
  if (typeof value === 'number' && words.unit) return describeDuration(value, words.unit);
  const known = document.resolve(schema);
  if (Array.isArray(value))
    return `<ul>${value.map((each) => `<li>${valueHtml(document, each, document.resolve(known.items), words)}</li>`).join('')}</ul>`;
  if (!isJson(value)) return renderText(String(value));
  if (Object.keys(value).length === 0) return 'On';
  // An address with its properties, such as the email address of a user.
  const { value: own, ...rest } = value;
  if (typeof own === 'string') return `${renderText(own)}${wordedFactsHtml(document, rest, known, {})}`;
  return wordedFactsHtml(document, value, known, { words: words.inner });
}

/** Renders the fields of a record that have a value, by default all in the order of the schema, with labels for operators. */
export function wordedFactsHtml(
  document: ApiDocument,
  record: Json,
  schema: Schema,
  shown: { readonly names?: readonly string[] | undefined; readonly words?: WordsTable | undefined },
): string {
  const { names = fieldNames(document, record, schema), words = {} } = shown;
  const fields = Object.fromEntries(listFields(document, schema));
  const rows = names
    .filter((name) => !isEmpty(record[name]) && !words[name]?.hidden)
    .map(
      (name) =>
        `<div><dt>${toAttributeText(words[name]?.label ?? toLabel(name))}</dt><dd>${valueHtml(document, record[name], fields[name], words[name])}</dd></div>`,
    );
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

/** Lists the field names of a record in the order of the schema, followed by those that the schema does not define. */
export function fieldNames(document: ApiDocument, record: Json, schema: Schema): readonly string[] {
  const known = listFields(document, schema).map(([name]) => name);
  return [...known, ...Object.keys(record).filter((name) => !known.includes(name))];
}
