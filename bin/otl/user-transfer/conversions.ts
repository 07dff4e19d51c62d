import { readJson } from '../../../shared/http/parse.ts';

/** Conversions of values in the exports of other systems. */

export type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true if there is anything to lose. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return !['', '{}', '[]', 'null', null, undefined].includes(value as string);
}

/** A list or object, or its JSON in a text. Errors: `system_invalid_input`. */
export const parsed = (value: unknown): unknown =>
  typeof value === 'string' ? (readJson(`{"value":${value}}`) as Values).value : value;

const MILLISECONDS = 1000;
/** As a number of seconds it is in the year 5138, as one of milliseconds in 1973. */
const SECONDS_MAX = 1e11;

/** Dates as exports write them: RFC 3339, PostgreSQL's text, seconds or milliseconds. What is no date stays, to be refused. */
export function readDate(value: unknown): unknown {
  const number = Number(value);
  const time = Number.isFinite(number)
    ? new Date(number < SECONDS_MAX ? number * MILLISECONDS : number)
    : new Date(String(value).replace(/^([\d-]+) ([\d:.]+)([+-]\d\d)$/, '$1T$2$3:00'));
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** Where a value stands in an export. */
export interface Around {
  readonly row: Values;
  readonly id: unknown;
  /** Names the field among those that were not taken as a whole. */
  readonly leave: () => void;
}

/** Returns the value of our field, or undefined if the value says nothing about it. */
export type Conversion = (value: unknown, around: Around) => unknown;

export const isTrue: Conversion = (value) => value === true || String(value).toLowerCase() === 'true';
export const isThere: Conversion = () => true;
export const readEnabled: Conversion = (value, around) => (isTrue(value, around) ? undefined : 'Disabled');
export const readBlocked: Conversion = (value, around) => (isTrue(value, around) ? 'Disabled' : undefined);
export const readBlockedUntil: Conversion = (value) =>
  Date.parse(String(readDate(value))) < Date.now() ? undefined : 'Disabled';
export const readDigits: Conversion = (value) => `+${String(value).replace(/^\+/, '')}`;

/** Marks a phone number that the other system keeps only once it is verified. */
export const proven: Conversion = (value) => value;

/** Skips the user names that Cognito makes up: the ID, or provider and subject of a user who came by a provider. */
export const readUsername: Conversion = (value, { id, row }) =>
  value === id || row.UserStatus === 'EXTERNAL_PROVIDER' ? undefined : value;

/** Returns true if the list of addresses has the one in the named field. The others are not taken. */
export const among =
  (first: string): Conversion =>
  (value, { row, leave }) => {
    const addresses = String(value)
      .split(/[,|]/)
      .map((each) => each.trim());
    if (addresses.some((each) => each !== row[first])) leave();
    return addresses.includes(String(row[first]));
  };

/** Takes nothing from a list of addresses, and names the list if it has others than the one in the named field. */
export const notAmong =
  (first: string): Conversion =>
  (value, around) =>
    void among(first)(value, around);
