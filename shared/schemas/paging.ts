import * as v from 'valibot';
import { maxCharacters } from './max-characters.ts';

const CURSOR_MAX = 1024;

/** `limit` 1 to 100; `cursor` as the page before gave it in `next_cursor`. */
export const PageQuery = v.object({
  limit: v.optional(v.pipe(v.string(), v.regex(/^(?:[1-9][0-9]?|100)$/, 'must be an integer from 1 to 100'))),
  cursor: v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CURSOR_MAX))),
});
