// Reads the rows of a file of users one at a time.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { UserRecord } from '../../../shared/domain/users/user-record.ts';
import { readJson } from '../../../shared/http/parse.ts';
import type { CustomIdentifier } from '../../../shared/ports/people.ts';
import { listSettableFields } from '../../../shared/records/field.ts';
import { nameFields } from '../../../shared/records/profile.ts';
import { userFields } from '../../../shared/records/user.ts';
import { UsageError } from '../terminal/failure.ts';
import { hasContent, isObject } from './conversions.ts';
import { readObjects } from './json-list.ts';
import { fromSource } from './source-row.ts';
import { FORMATS, type Format, SOURCES, type Source } from './sources.ts';

export interface Row {
  /** Row number, starting at 1. The heading of a CSV file is not counted. */
  readonly number: number;
  /** Body of `POST /v1/users`; absent if the row has a `problem`. */
  readonly body?: unknown;
  /** Names of the fields in the other system's export that are not copied to the body. */
  readonly notTaken?: readonly string[];
  readonly problem?: string;
}

const OWN_FORMATS = FORMATS.filter((format) => format !== 'json');

export function readFormat(given = 'jsonl', formats: readonly Format[] = OWN_FORMATS): Format {
  const format = formats.find((each) => each === given);
  if (!format) throw new UsageError(`--format must be one of: ${formats.join(', ')}.`);
  return format;
}

export interface Shape {
  readonly format: Format;
  readonly mapping: ReadonlyMap<string, string>;
  readonly source?: Source | undefined;
}

/**
 * Reads the format of a file of users from the options: our own format, or that of another system's export. Throws
 * `UsageError`.
 */
export function readShape(option: (flag: string) => string | undefined): Shape {
  const [from, map] = [option('from'), option('map')];
  if (from === undefined)
    return { format: readFormat(option('format')), mapping: readMapping(map?.split(',') ?? []) };
  const source = Object.hasOwn(SOURCES, from) ? SOURCES[from] : undefined;
  if (!source) throw new UsageError(`--from must be one of: ${Object.keys(SOURCES).join(', ')}.`);
  if (map !== undefined) throw new UsageError('--map cannot be used with --from.');
  const formats = source.list === undefined ? OWN_FORMATS : FORMATS;
  return { format: readFormat(option('format') ?? source.format, formats), mapping: new Map(), source };
}

export const LIST_SEPARATOR = '|';

type Columns = ReturnType<typeof listSettableFields>;
const NAMES: Columns = listSettableFields(nameFields);
const PLAIN: Columns = listSettableFields(userFields);
/** CSV columns for fields that need their own conversion. All other columns have the name and the type of a user field. */
const OTHERS: Columns = [
  ['email', 'text'],
  ['phone_number', 'text'],
  ['external_user_id', 'text'],
  ['external_application', 'text'],
  ['applications', 'texts'],
];
export const CSV_COLUMNS = [...OTHERS, ...NAMES, ...PLAIN].map(([name]) => name);

/**
 * Columns that are imported only with `--trust-verified`. Without this option, the import reports these columns as not
 * imported.
 */
const TRUSTED: Columns = [
  ['user_id', 'text'],
  ['created_at', 'text'],
  ['email_verified', 'flag'],
  ['phone_number_verified', 'flag'],
  ['identities', 'text'],
  ['passkeys', 'text'],
];
const KNOWN = new Set([...CSV_COLUMNS, ...TRUSTED.map(([name]) => name)]);

/** Pattern of the apostrophe that the export puts before a cell that a spreadsheet would run as a formula. */
const ESCAPED = /^'(?=[=+\-@\t\r])/;

type Cells = Readonly<Record<string, string>>;

function splitPair(text: string): CustomIdentifier {
  const separator = text.indexOf('=');
  return { type: text.slice(0, Math.max(0, separator)), value: text.slice(separator + 1) };
}

function readCell(cell: string, kind: Columns[number][1]): unknown {
  if (kind === 'json') return readJson(cell);
  if (kind === 'texts') return cell.split(LIST_SEPARATOR);
  if (kind === 'flag') return cell === 'true';
  return kind === 'records' ? cell.split(LIST_SEPARATOR).map(splitPair) : cell;
}

/**
 * Builds the body of a user from a line of a CSV file. Empty cells are left out. Unknown columns are kept, so that the import
 * can report them.
 */
export function buildBodyFromCells(cells: Cells): object {
  const read = (columns: Columns) =>
    columns.flatMap(([name, kind]) => {
      const cell = cells[name]?.replace(ESCAPED, '');
      return cell ? [[name, readCell(cell, kind)] as const] : [];
    });
  const names = read(NAMES);
  const unknown = Object.entries(cells).filter(([name, cell]) => cell && !KNOWN.has(name));
  return {
    ...Object.fromEntries([...unknown, ...read(TRUSTED), ...read(OTHERS), ...read(PLAIN)]),
    ...(names.length > 0 ? { name: Object.fromEntries(names) } : {}),
  };
}

function toCell(value: unknown, kind: Columns[number][1]): string | undefined {
  if (value === undefined) return undefined;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'texts') return (value as readonly string[]).join(LIST_SEPARATOR);
  if (kind !== 'records') return String(value);
  return (value as readonly CustomIdentifier[])
    .map(({ type, value }) => `${type}=${value}`)
    .join(LIST_SEPARATOR);
}

/** Returns the CSV cells of the user fields that need no conversion of their own. */
export function plainCells(user: UserRecord): Readonly<Record<string, string | undefined>> {
  const of = { ...user, ...user.name } as Readonly<Record<string, unknown>>;
  return Object.fromEntries([...NAMES, ...PLAIN].map(([name, kind]) => [name, toCell(of[name], kind)]));
}

/** Parses `field=heading` pairs and returns a map from heading to field. Throws `UsageError`. */
function readMapping(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const { type: field, value: heading } = splitPair(text);
      if (!KNOWN.has(field) || heading === '')
        throw new UsageError(`--map must be <field>=<heading>; fields are ${[...KNOWN].join(', ')}.`);
      return [heading, field];
    }),
  );
}

/**
 * Character that the decoder inserts for bytes that are not UTF-8. Rows that contain it are rejected: names would be corrupted.
 */
const UNREADABLE = '\ufffd';

interface UnreadRow {
  readonly number: number;
  readonly texts: readonly string[];
  readonly read: () => unknown;
  readonly source: Source | undefined;
}

function readRow({ number, texts, read, source }: UnreadRow): Row {
  if (texts.some((text) => text.includes(UNREADABLE))) return { number, problem: 'is not UTF-8' };
  try {
    const given = read();
    if (isDeleted(given)) return { number, problem: 'was deleted in the other system' };
    const kept = withoutDeletion(given);
    return source ? { number, ...fromSource(source, kept) } : { number, body: kept };
  } catch {
    return { number, problem: 'is not a JSON object' };
  }
}

/** Pattern of field names that flag a deleted user, such as `deleted_at`, `isDeleted` and `DeletedDate`. */
const DELETION = /^(?:is_?)?deleted(?:_?(?:at|on|date|time))?$/i;
const NOT_DELETED: readonly unknown[] = [false, 0, 'false', 'f', 'no', '0'];

const findDeletionMarks = (given: unknown): readonly (readonly [string, unknown])[] =>
  isObject(given) ? Object.entries(given).filter(([key]) => DELETION.test(key)) : [];

const isDeleted = (given: unknown): boolean =>
  findDeletionMarks(given).some(
    ([, value]) =>
      hasContent(value) && !NOT_DELETED.includes(typeof value === 'string' ? value.toLowerCase() : value),
  );

/** Returns the row without the fields that flag deleted users. Called only if these fields say that the user is not deleted. */
const withoutDeletion = (given: unknown): unknown =>
  findDeletionMarks(given).length === 0 || !isObject(given)
    ? given
    : Object.fromEntries(Object.entries(given).filter(([key]) => !DELETION.test(key)));

type Texts = AsyncIterable<string>;

const readLines = (input: Readable): Texts => createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });

async function* rowsFromTexts(texts: Texts, source: Source | undefined): AsyncGenerator<Row> {
  let number = 0;
  for await (const text of texts) {
    if (text.trim() === '') continue;
    number += 1;
    yield readRow({ number, texts: [text], read: () => readJson(text), source });
  }
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/**
 * Converts the headings of a CSV file to our column names.
 * @throws `UsageError` if the separator is not a comma, or if no heading is known.
 */
function readHeadings(headings: readonly string[], { mapping, source }: Shape): string[] {
  const [first = ''] = headings;
  const separator = headings.length === 1 && Object.keys(SEPARATORS).find((each) => first.includes(each));
  if (separator)
    throw new UsageError(
      `The columns of the file are separated by ${SEPARATORS[separator]}. Separate them by commas, and put cells that have commas in double quotes.`,
    );
  const columns = headings.map((heading) => mapping.get(heading) ?? heading);
  if (!source && !columns.some((column) => KNOWN.has(column)))
    throw new UsageError(
      `No heading is the name of a field. Name the columns of the fields: --map "email=<heading>,phone_number=<heading>"; fields are ${[...KNOWN].join(', ')}.`,
    );
  return columns;
}

async function* rowsFromCsv(input: Readable, shape: Shape): AsyncGenerator<Row> {
  const { source } = shape;
  const parser = input.pipe(
    parse({
      bom: true,
      skip_empty_lines: true,
      trim: true,
      columns: (headings: string[]) => readHeadings(headings, shape),
    }),
  );
  input.on('error', (error) => parser.destroy(error));
  let number = 0;
  for await (const cells of parser as AsyncIterable<Cells>) {
    number += 1;
    const read = () => (source ? cells : buildBodyFromCells(cells));
    yield readRow({ number, texts: Object.values(cells), read, source });
  }
}

export function readRows(file: string, shape: Shape): AsyncGenerator<Row> {
  const input = createReadStream(file);
  const { format, source } = shape;
  if (format === 'csv') return rowsFromCsv(input, shape);
  return rowsFromTexts(format === 'json' ? readObjects(input, source?.list ?? '') : readLines(input), source);
}
