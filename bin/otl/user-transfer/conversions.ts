// Conversions of values in the exports of other systems.

import { readJson } from '../../../shared/http/parse.ts';

export type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true if a value contains information, so that dropping it would lose something. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return !['', '{}', '[]', 'null', null, undefined].includes(value as string);
}

/** Returns a list or object. Parses it first if it is given as JSON text. Throws `system_invalid_input`. */
export const parseText = (value: unknown): unknown =>
  typeof value === 'string' ? (readJson(`{"value":${value}}`) as Values).value : value;

const MILLISECONDS = 1000;
/** Limit between dates in seconds and dates in milliseconds: in seconds it is in the year 5138, in milliseconds in 1973. */
const SECONDS_MAX = 1e11;

/**
 * Converts a date from an export to RFC 3339. Accepts RFC 3339, PostgreSQL's text format, seconds and milliseconds. Returns any
 * other value unchanged, so that validation refuses it.
 */
export function readDate(value: unknown): unknown {
  const number = Number(value);
  const time = Number.isFinite(number)
    ? new Date(number < SECONDS_MAX ? number * MILLISECONDS : number)
    : new Date(String(value).replace(/^([\d-]+) ([\d:.]+)([+-]\d\d)$/, '$1T$2$3:00'));
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** Context of a value in an export: the row that contains it, and the ID of its user. */
export interface ValueContext {
  readonly row: Values;
  readonly id: unknown;
  /** Reports that the field was not taken completely. */
  readonly leave: () => void;
}

/** Function that returns the value of our field, or undefined if the export's value says nothing about it. */
export type Conversion = (value: unknown, around: ValueContext) => unknown;

export const isTrue: Conversion = (value) => value === true || String(value).toLowerCase() === 'true';
export const isPresent: Conversion = () => true;
export const readEnabled: Conversion = (value, around) => (isTrue(value, around) ? undefined : 'Disabled');
export const readBlocked: Conversion = (value, around) => (isTrue(value, around) ? 'Disabled' : undefined);
export const readBlockedUntil: Conversion = (value) =>
  Date.parse(String(readDate(value))) < Date.now() ? undefined : 'Disabled';
export const readDigits: Conversion = (value) => `+${String(value).replace(/^\+/, '')}`;

/** Marks a phone number as verified, because the other system stores only verified ones. `convertFields` recognises it. */
export const markVerified: Conversion = (value) => value;

/** Returns the user name, except for names that Cognito generates: the user ID, or the provider and the user's ID there. */
export const readUsername: Conversion = (value, { id, row }) =>
  value === id || row.UserStatus === 'EXTERNAL_PROVIDER' ? undefined : value;

/** Returns a conversion that tests if an address list contains the given field's address. Reports any other address. */
export const isAmong =
  (first: string): Conversion =>
  (value, { row, leave }) => {
    const addresses = String(value)
      .split(/[,|]/)
      .map((each) => each.trim());
    if (addresses.some((each) => each !== row[first])) leave();
    return addresses.includes(String(row[first]));
  };

/** Returns a conversion that takes nothing from an address list. Reports addresses that differ from the given field. */
export const reportOthers =
  (first: string): Conversion =>
  (value, around) =>
    void isAmong(first)(value, around);
