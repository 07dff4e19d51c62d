import * as v from 'valibot';
import {
  NAME_MAX,
  RATE_LIMIT_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';

/** What the records of operators and their fields have in common. In updates null removes a field. */

const ID_MAX = 64;

export const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
export const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
export const uri = v.pipe(v.string(), v.minLength(1), maxCharacters(URI_MAX));
export const date = v.pipe(v.string(), v.isoTimestamp());
export const dates = { created_at: date, updated_at: date };
export const field = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema));
export const integer = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

const seconds = (max: number) => v.pipe(v.number(), v.minValue(RESOURCE_TTL_MIN_SECONDS), v.maxValue(max));
export const accessSeconds = seconds(RESOURCE_ACCESS_TTL_MAX_SECONDS);
export const refreshSeconds = seconds(RESOURCE_REFRESH_TTL_MAX_SECONDS);

export const limit = field(integer(1, RATE_LIMIT_MAX));
export const resultOf = <Schema extends v.GenericSchema>(record: Schema) => v.object({ result: record });
export const listOf = <Schema extends v.GenericSchema>(record: Schema) =>
  v.object({ result: v.array(record), next_cursor: v.optional(v.string()) });
