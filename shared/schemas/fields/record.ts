import * as v from 'valibot';
import {
  LIST_LIMIT,
  LIST_LIMIT_MAX,
  NAME_MAX,
  PERMISSIONS_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
  URI_MAX,
} from '../../domain/basis/limits.ts';
import { describe, described } from './described.ts';
import { maxCharacters } from './max-characters.ts';

// Common fields of the records that operators manage. In a change, null removes a field.

const ID_MAX = 64;

export const tenantId = describe('ID of the tenant, the customer organisation.', '4pf9mhq20w7x3dz1k6vs8tybn');
export const applicationId = describe('ID of the application.', '1c7r5zk0v3x9qmd2w8htb4nyp');
export const userId = describe('ID of the user (`sub` in tokens).', '2vd8nq4m1x0k7zt9w5chb3ryp');
export const organizationId = describe('ID of the organization.', '0kz6wd3v9m1xqt8r5yhc2bn7p');

export const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
export const textUpTo = (max: number) => v.pipe(v.string(), v.minLength(1), maxCharacters(max));
/** Name without control characters and bidirectional formatting characters, which can disguise one name as another. */
export const name = v.pipe(
  textUpTo(NAME_MAX),
  v.regex(
    /^[ -~\u00a0-\u2027\u202f-\u2065\u206a-\uffff]*$/,
    'must not hold control characters or marks of text direction (U+202A to U+202E, U+2066 to U+2069)',
  ),
);
export const uri = textUpTo(URI_MAX);
export const date = v.pipe(v.string(), v.isoTimestamp());
/** Time in the examples of the API document. */
export const TIME = '2026-01-31T12:00:00.000Z';
const updated = describe('Time of the last change (RFC 3339, UTC).', '2026-02-01T08:30:00.000Z');
const created = describe('Time of creation (RFC 3339, UTC).', TIME);
export const dates = { created_at: described(date, created), updated_at: described(date, updated) };
export const integer = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

export const list = <const Schema extends v.GenericSchema>(entry: Schema, max: number) =>
  v.pipe(v.array(entry), v.maxLength(max));

const seconds = (max: number) => v.pipe(v.number(), v.minValue(RESOURCE_TTL_MIN_SECONDS), v.maxValue(max));
export const accessSeconds = seconds(RESOURCE_ACCESS_TTL_MAX_SECONDS);
export const refreshSeconds = seconds(RESOURCE_REFRESH_TTL_MAX_SECONDS);

/** Returns the schema of an optional field in a request. A value of null removes the field from an existing record. */
export const nullableField = <const Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly ReturnType<typeof describe>[]
) => described(v.optional(v.nullable(schema)), ...words);
/** Returns the schema of a field that is absent in some records. */
export const optionalField = <const Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly ReturnType<typeof describe>[]
) => described(v.optional(schema), ...words);

export const toResult = <Schema extends v.GenericSchema>(record: Schema) => v.object({ result: record });
const records = describe(
  'Records of this page, oldest first. A page may be empty and still have a next page.',
);
const nextCursor = describe(
  'Value of `cursor` for the next page. Absent: this is the last page.',
  'eyJwayI6ImFwcCMxYzdyNXprIn0',
);
export const toPage = <Schema extends v.GenericSchema>(record: Schema) =>
  v.object({
    result: described(v.array(record), records),
    next_cursor: optionalField(v.string(), nextCursor),
  });

/** Permissions in the form `<noun>:<verb>`. `[appId]` is replaced by the application's ID. */
export const permissions = v.pipe(
  v.array(
    v.pipe(v.string(), v.regex(/^(?:\[appId\]|[A-Za-z0-9_-]{1,64}):[a-z]{1,32}$/, 'must be <noun>:<verb>')),
  ),
  v.maxLength(PERMISSIONS_MAX),
);
export const roleName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/, 'must be a name of at most 64 characters'),
);
/** Returns the schema of a list of role names. */
export const roleNames = (max: number) => v.pipe(v.array(roleName), v.maxLength(max));

const CURSOR_MAX = 1024;

export const PageQuery = v.object({
  limit: described(
    v.optional(v.pipe(v.string(), v.regex(/^(?:[1-9][0-9]?|100)$/, 'must be an integer from 1 to 100'))),
    describe(`Maximum number of entries on the page, 1 to ${LIST_LIMIT_MAX} (default: ${LIST_LIMIT}).`, '20'),
  ),
  cursor: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CURSOR_MAX))),
    describe('`next_cursor` of the previous page. Absent: the first page.', 'eyJwayI6ImFwcCMxYzdyNXprIn0'),
  ),
});
