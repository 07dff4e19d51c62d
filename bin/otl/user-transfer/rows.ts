import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { readJson } from '../../../shared/http/parse.ts';
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

/** Columns of a CSV file that hold a field as it is; see `bodyOf` for the others. */
const TEXT_COLUMNS = [
  'email',
  'phone_number',
  'username',
  'external_user_id',
  'external_application',
  'picture',
  'language',
] as const;
export const CSV_COLUMNS = [
  ...TEXT_COLUMNS,
  ...['first_name', 'last_name', 'applications', 'groups', 'roles', 'custom_identifiers', 'custom_app_data'],
] as const;
export const LIST_SEPARATOR = '|';

/** The quote that the export writes before formulas. */
const ESCAPED = /^'(?=[=+\-@\t\r])/;

type Cells = Readonly<Record<string, string>>;

function listOf(cell: string | undefined): readonly string[] {
  return cell === undefined || cell === '' ? [] : cell.split(LIST_SEPARATOR);
}

function pairOf(text: string): { readonly type: string; readonly value: string } {
  const separator = text.indexOf('=');
  return { type: text.slice(0, Math.max(0, separator)), value: text.slice(separator + 1) };
}

/** The body from a line of a CSV file; an empty cell is no field. */
export function bodyOfCells(cells: Cells): object {
  const at = (name: string) => {
    const cell = cells[name]?.replace(ESCAPED, '');
    return cell === '' ? undefined : cell;
  };
  const [first_name, last_name, data] = ['first_name', 'last_name', 'custom_app_data'].map(at);
  const [applications, groups, roles, identifiers] = [
    listOf(at('applications')),
    listOf(at('groups')),
    listOf(at('roles')),
    listOf(at('custom_identifiers')),
  ];
  const body = {
    ...Object.fromEntries(TEXT_COLUMNS.map((name) => [name, at(name)])),
    ...(first_name || last_name ? { name: { first_name, last_name } } : {}),
    ...(applications.length > 0 ? { applications } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(roles.length > 0 ? { roles } : {}),
    ...(identifiers.length > 0 ? { custom_identifiers: identifiers.map(pairOf) } : {}),
    ...(data === undefined ? {} : { custom_app_data: readJson(data) }),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** `field=heading` → the field by the heading of its column. */
export function readMapping(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const { type: field, value: heading } = pairOf(text);
      if (!(CSV_COLUMNS as readonly string[]).includes(field) || heading === '')
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
