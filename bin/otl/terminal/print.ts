import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Column, Outcome } from './outcome.ts';

const WIDTH_DEFAULT = 80;
const WIDTH_MIN = 40;
const GAP = 2;
const COLUMN_MIN = 8;

const ACROSS = ['top', 'bottom'].flatMap((side) => ['', '-mid', '-left', '-right'].map((end) => side + end));
const BORDERS = [...ACROSS, 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];
const NO_BORDERS = Object.fromEntries(BORDERS.map((name) => [name, '']));
const STYLE = { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] };

export interface Paper {
  readonly write: (text: string) => void;
  /** Width of the terminal in columns; 0 if unknown. Absent if the output is not a terminal; the text is then never cut off. */
  readonly columns?: number | undefined;
  readonly colours: boolean;
}

/** Replaces control characters. Names and other data that users choose could otherwise move the operator's cursor. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}

function renderTable(table: Table.Table): string {
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const paperWidth = ({ columns }: Paper) =>
  columns === undefined ? Number.POSITIVE_INFINITY : Math.max(WIDTH_MIN, columns || WIDTH_DEFAULT);

function heading(text: string, paper: Paper): string {
  return paper.colours ? styleText('bold', text, { validateStream: false }) : text;
}

type Entries = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(formatEntry).join('\n') || '-';
  return isObject(value) ? formatObject(value) : JSON.stringify(value);
}

function formatObject(value: Entries): string {
  const verified = value.email_verified ?? value.phone_number_verified;
  if (typeof verified === 'boolean') {
    const { undeliverable, risk, opens_at } = value;
    const waits = typeof opens_at === 'string' ? `, can log in by itself from ${opens_at}` : '';
    const dead = isObject(undeliverable) ? `, undeliverable: ${String(undeliverable.reason)}` : '';
    const atRisk = isObject(risk) ? `, at risk: ${String(risk.signal)}` : '';
    return `${value.value} (${verified ? 'verified' : 'not verified'}${dead}${atRisk}${waits})`;
  }
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${formatEntry(inner)}`);
  return entries.join('\n') || '-';
}

function formatEntry(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (!isObject(entry)) return JSON.stringify(entry);
  const { type, value, secret_id, created_at } = entry;
  if (typeof type === 'string' && typeof value === 'string') return `${type}=${value}`;
  if (typeof secret_id === 'string') return `${secret_id} (created ${shortDate(String(created_at))})`;
  return JSON.stringify(entry);
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;

/** Returns the number of terminal columns that a text occupies. Emoji and Chinese, Japanese and Korean letters take two. */
function displayWidth(text: string): number {
  return [...text].reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}

/** Builds the columns of a list from field names and explicit columns. A field such as `user_id` gets the heading USER. */
export const makeColumns = <Item extends object>(
  ...columns: readonly ((keyof Item & string) | Column<Item>)[]
): readonly Column<Item>[] =>
  columns.map((name) => {
    if (typeof name !== 'string') return name;
    return {
      heading:
        name === 'created_at' ? 'CREATED' : name.replace(/_id$/, '').replaceAll('_', ' ').toUpperCase(),
      text: ({ [name]: value = '' }) =>
        name.endsWith('_at') ? shortDate(String(value)) : [value].flat().map(formatValue).join(', '),
      flexible: !/_(?:id|at)$/.test(name),
    };
  });

/** Prints a record as two columns: names and values. Long values continue on the next line of the second column. */
function printRecord(record: object, paper: Paper): void {
  const rows = Object.entries(record).map(
    ([name, value]) => [name, formatValue(value).split('\n').map(printable)] as const,
  );
  const first = Math.max(...rows.map(([name]) => name.length)) + GAP;
  const second = Math.max(...rows.flatMap(([, values]) => values.map(displayWidth))) + GAP;
  const table = new Table({
    chars: NO_BORDERS,
    style: STYLE,
    colWidths: [first, Math.min(second, paperWidth(paper) - first)],
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  for (const [name, values] of rows) table.push([heading(name, paper), values.join('\n')]);
  paper.write(`${renderTable(table)}\n`);
}

/** Returns the width of each column. Flexible columns share the width that the fixed columns leave. */
function columnWidths(
  columns: readonly Column<never>[],
  natural: readonly number[],
  room: number,
): readonly number[] {
  const widths = [...natural];
  const flexible = columns.flatMap((column, index) => (column.flexible ? [index] : []));
  flexible.sort((one, other) => (natural[one] ?? 0) - (natural[other] ?? 0));
  const fixed = natural.reduce((sum, width, index) => sum + GAP + (columns[index]?.flexible ? 0 : width), 0);
  let left = room - fixed;
  flexible.forEach((column, taken) => {
    const share = Math.max(COLUMN_MIN, Math.floor(left / (flexible.length - taken)));
    widths[column] = Math.min(natural[column] ?? 0, share);
    left -= widths[column] ?? 0;
  });
  return widths;
}

/** Breaks words that are longer than their column, such as ARNs. The table would otherwise cut them off. */
function breakWords(text: string, width: number): string {
  return text.replace(new RegExp(`\\S{${width}}(?=\\S)`, 'gu'), '$&\n');
}

function printList(
  items: readonly object[],
  columns: readonly Column<never>[],
  paper: Paper,
  width?: number,
) {
  const cells = items.map((item) => columns.map((column) => printable(column.text(item as never))));
  const natural = columns.map((column, index) =>
    Math.max(column.heading.length, ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  const widths = columnWidths(
    columns,
    natural,
    Math.min(paperWidth(paper), width ?? Number.POSITIVE_INFINITY),
  );
  const table = new Table({
    chars: NO_BORDERS,
    style: STYLE,
    head: columns.map((column) => heading(column.heading, paper)),
    colWidths: widths.map((each) => each + GAP),
    wordWrap: columns.some(({ wraps }) => wraps),
  });
  table.push(
    ...cells.map((row) =>
      row.map((text, index) => (columns[index]?.wraps ? breakWords(text, widths[index] ?? 0) : text)),
    ),
  );
  paper.write(`${renderTable(table)}\n`);
}

/** Prints an outcome for people. Notes go to stderr (`aside`), so that the data can be piped. */
export function printForPeople(outcome: Outcome, paper: Paper, aside: (text: string) => void): void {
  if ('done' in outcome) {
    aside(`${outcome.done}\n`);
    return;
  }
  if ('record' in outcome) {
    printRecord(outcome.record, paper);
    if (outcome.note !== undefined) aside(`\n${outcome.note}\n`);
    return;
  }
  const { result, next_cursor } = outcome.list;
  for (const note of outcome.notes ?? []) aside(`${printable(note)}\n`);
  if (result.length === 0) aside('No records found.\n');
  else printList(result, outcome.columns, paper, outcome.width);
  if (outcome.note !== undefined) aside(`\n${outcome.note}\n`);
  if (next_cursor !== undefined) aside(`\nFor more, add --cursor ${next_cursor}\n`);
}

/** Prints the JSON of an API response unchanged, or nothing if the response has no body. */
export function printAsJson(outcome: Outcome, paper: Paper): void {
  if ('done' in outcome) return;
  const list = 'list' in outcome ? (outcome.isBareArray ? outcome.list.result : outcome.list) : undefined;
  paper.write(`${JSON.stringify(list ?? ('record' in outcome && outcome.record), null, 2)}\n`);
}

/** Returns the day of an API date, such as `2026-01-31`. */
function shortDate(date: string): string {
  return date.slice(0, '2026-01-31'.length);
}
