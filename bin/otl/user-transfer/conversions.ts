// Functions that convert the values in the exports of other systems.

import { readJson } from '../../../shared/http/parse.ts';

export type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true if dropping a value from an export would lose information. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return !['', '{}', '[]', 'null', null, undefined].includes(value as string);
}

/**
 * Parses a list or object that is given as JSON text. Returns a value of another type unchanged. Throws `system_invalid_input`.
 */
export const parseText = (value: unknown): unknown =>
  typeof value === 'string' ? (readJson(`{"value":${value}}`) as Values).value : value;

const MILLISECONDS = 1000;
/** Numbers of at least this value are read as milliseconds. 1e11 is a date in 1973 in milliseconds, and in 5138 in seconds. */
const SECONDS_MAX = 1e11;

/**
 * Converts a date from an export to RFC 3339. Accepts RFC 3339, PostgreSQL's text format, seconds and milliseconds. Returns any
 * other value unchanged, so that the validation rejects it.
 */
export function readDate(value: unknown): unknown {
  const number = Number(value);
  const time = Number.isFinite(number)
    ? new Date(number < SECONDS_MAX ? number * MILLISECONDS : number)
    : new Date(String(value).replace(/^([\d-]+) ([\d:.]+)([+-]\d\d)$/, '$1T$2$3:00'));
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** Context of a value in an export: the row that contains the value, and the ID of the user. */
export interface ValueContext {
  readonly row: Values;
  readonly id: unknown;
  /** Reports that the field is not imported completely. */
  readonly leave: () => void;
}

/** Function that converts a value of an export to the value of our field. Returns undefined if the field should stay unset. */
export type Conversion = (value: unknown, around: ValueContext) => unknown;

export const isTrue: Conversion = (value) => value === true || String(value).toLowerCase() === 'true';
export const isPresent: Conversion = () => true;
export const readEnabled: Conversion = (value, around) => (isTrue(value, around) ? undefined : 'Disabled');
export const readBlocked: Conversion = (value, around) => (isTrue(value, around) ? 'Disabled' : undefined);
export const readBlockedUntil: Conversion = (value) =>
  Date.parse(String(readDate(value))) < Date.now() ? undefined : 'Disabled';
export const readDigits: Conversion = (value) => `+${String(value).replace(/^\+/, '')}`;

/**
 * Flags a phone number as verified, for systems that store only verified numbers. Returns the number itself: `convertFields`
 * recognises this function and sets the flag.
 */
export const markVerified: Conversion = (value) => value;

/**
 * Returns the user name of a Cognito user. Returns undefined for a name that Cognito generated: the user ID, or a provider and
 * the user's ID at this provider.
 */
export const readUsername: Conversion = (value, { id, row }) =>
  value === id || row.UserStatus === 'EXTERNAL_PROVIDER' ? undefined : value;

/**
 * Returns a conversion of a list of addresses to a boolean: true if the list contains the address in the row's field `first`.
 * Reports other addresses of the list as not imported.
 */
export const isAmong =
  (first: string): Conversion =>
  (value, { row, leave }) => {
    const addresses = String(value)
      .split(/[,|]/)
      .map((each) => each.trim());
    if (addresses.some((each) => each !== row[first])) leave();
    return addresses.includes(String(row[first]));
  };

/**
 * Returns a converter for a list of addresses that is not imported. The converter reports a loss if the list has an address
 * other than the one in the field `first`.
 */
export const reportOthers =
  (first: string): Conversion =>
  (value, around) =>
    void isAmong(first)(value, around);
