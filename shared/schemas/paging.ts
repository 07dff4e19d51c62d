import * as v from 'valibot';
import { LIST_LIMIT, LIST_LIMIT_MAX } from '../domain/basis/limits.ts';
import { described, doc } from './described.ts';
import { maxCharacters } from './max-characters.ts';

const CURSOR_MAX = 1024;

export const PageQuery = v.object({
  limit: v.optional(
    described(
      v.pipe(v.string(), v.regex(/^(?:[1-9][0-9]?|100)$/, 'must be an integer from 1 to 100')),
      doc(`Most entries of the page, 1 to ${LIST_LIMIT_MAX} (default: ${LIST_LIMIT}).`, '20'),
    ),
  ),
  cursor: v.optional(
    described(
      v.pipe(v.string(), v.minLength(1), maxCharacters(CURSOR_MAX)),
      doc(
        'The page to begin with, as `next_cursor` of the page before. Absent: the first one.',
        'eyJwayI6ImFwcCMxYzdyNXprIn0',
      ),
    ),
  ),
});
