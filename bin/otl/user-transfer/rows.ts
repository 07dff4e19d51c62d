import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { UserRecord } from '../../../shared/domain/users/user-record.ts';
import { readJson } from '../../../shared/http/parse.ts';
import type { CustomIdentifier } from '../../../shared/ports/people.ts';
import { settable } from '../../../shared/records/field.ts';
import { nameFields } from '../../../shared/records/profile.ts';
import { userFields } from '../../../shared/records/user.ts';
import { UsageError } from '../terminal/failure.ts';

/** The rows of a file of users, read one at a time. */

export interface Row {
  /** From 1, without the heading of a CSV file. */
  readonly number: number;
  /** The body of `POST /v1/users`, or why there is none. */
  readonly body?: unknown;
  readonly problem?: string;
}

const FORMATS = ['jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export function readFormat(given: string | undefined): Format {
  const format = FORMATS.find((each) => each === (given ?? 'jsonl'));
  if (!format) throw new UsageError(`--format must be one of: ${FORMATS.join(', ')}.`);
  return format;
}

export const LIST_SEPARATOR = '|';

type Columns = ReturnType<typeof settable>;
const NAMES: Columns = settable(nameFields);
const PLAIN: Columns = settable(userFields);
/** What is no plain field of a user. */
const OTHERS: Columns = [
  ['email', 'text'],
  ['phone_number', 'text'],
  ['external_user_id', 'text'],
  ['external_application', 'text'],
  ['applications', 'texts'],
];
export const CSV_COLUMNS = [...OTHERS, ...NAMES, ...PLAIN].map(([name]) => name);

/** The quote that the export writes before formulas. */
const ESCAPED = /^'(?=[=+\-@\t\r])/;

type Cells = Readonly<Record<string, string>>;

function pairOf(text: string): CustomIdentifier {
  const separator = text.indexOf('=');
  return { type: text.slice(0, Math.max(0, separator)), value: text.slice(separator + 1) };
}

function readCell(cell: string, kind: Columns[number][1]): unknown {
  if (kind === 'json') return readJson(cell);
  if (kind === 'texts') return cell.split(LIST_SEPARATOR);
  return kind === 'records' ? cell.split(LIST_SEPARATOR).map(pairOf) : cell;
}

/** The body from a line of a CSV file; an empty cell is no field. */
export function bodyOfCells(cells: Cells): object {
  const read = (columns: Columns) =>
    columns.flatMap(([name, kind]) => {
      const cell = cells[name]?.replace(ESCAPED, '');
      return cell ? [[name, readCell(cell, kind)] as const] : [];
    });
  const names = read(NAMES);
  return {
    ...Object.fromEntries([...read(OTHERS), ...read(PLAIN)]),
    ...(names.length > 0 ? { name: Object.fromEntries(names) } : {}),
  };
}

function cellOf(value: unknown, kind: Columns[number][1]): string | undefined {
  if (value === undefined) return undefined;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'texts') return (value as readonly string[]).join(LIST_SEPARATOR);
  if (kind !== 'records') return String(value);
  return (value as readonly CustomIdentifier[])
    .map(({ type, value }) => `${type}=${value}`)
    .join(LIST_SEPARATOR);
}

/** The cells of the plain fields. */
export function plainCells(user: UserRecord): Readonly<Record<string, string | undefined>> {
  const of = { ...user, ...user.name } as Readonly<Record<string, unknown>>;
  return Object.fromEntries([...NAMES, ...PLAIN].map(([name, kind]) => [name, cellOf(of[name], kind)]));
}

/** `field=heading` → the field by the heading of its column. */
export function readMapping(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const { type: field, value: heading } = pairOf(text);
      if (!CSV_COLUMNS.includes(field) || heading === '')
        throw new UsageError(`--map must be <field>=<heading>; fields are ${CSV_COLUMNS.join(', ')}.`);
      return [heading, field];
    }),
  );
}

/** The decoder's replacement for bytes that are not UTF-8: a file in another encoding would spoil every name. */
const UNREADABLE = '\ufffd';

function attempt(number: number, texts: readonly string[], read: () => unknown): Row {
  if (texts.some((text) => text.includes(UNREADABLE))) return { number, problem: 'is not UTF-8' };
  try {
    return { number, body: read() };
  } catch {
    return { number, problem: 'is no JSON object' };
  }
}

async function* rowsOfLines(input: Readable): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    number += 1;
    yield attempt(number, [line], () => readJson(line));
  }
}

async function* rowsOfCsv(input: Readable, mapping: ReadonlyMap<string, string>): AsyncGenerator<Row> {
  const parser = input.pipe(
    parse({
      bom: true,
      skip_empty_lines: true,
      trim: true,
      columns: (headings: string[]) => headings.map((heading) => mapping.get(heading) ?? heading),
    }),
  );
  input.on('error', (error) => parser.destroy(error));
  let number = 0;
  for await (const cells of parser as AsyncIterable<Cells>) {
    number += 1;
    yield attempt(number, Object.values(cells), () => bodyOfCells(cells));
  }
}

export function readRows(
  file: string,
  format: Format,
  mapping: ReadonlyMap<string, string>,
): AsyncGenerator<Row> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  return format === 'csv' ? rowsOfCsv(input, mapping) : rowsOfLines(input);
}
