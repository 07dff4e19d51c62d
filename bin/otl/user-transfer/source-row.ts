import { readJson } from '../../../shared/http/parse.ts';
import type { Columns, Items, Reading, Source } from './sources.ts';

/** From a user in the export of another system to a row of ours. */

type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether there is anything that could be lost. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return !['', '{}', '[]', 'null', null, undefined].includes(value as string);
}

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

const isTrue = (value: unknown) => value === true || String(value).toLowerCase() === 'true';
const addressesIn = (value: unknown) =>
  String(value)
    .split(/[,|]/)
    .map((each) => each.trim());

interface Around {
  readonly row: Values;
  readonly id: unknown;
  /** Not all of the field was taken. */
  readonly leave: () => void;
}

/** Whether a list of addresses has the first one; the others are not taken. */
function among(value: unknown, first: string, { row, leave }: Around): boolean {
  const addresses = addressesIn(value);
  if (addresses.some((each) => each !== row[first])) leave();
  return addresses.includes(String(row[first]));
}

function lacks(value: unknown, first: string, around: Around): undefined {
  among(value, first, around);
}

const READINGS: Readonly<Record<Reading, (value: unknown, around: Around) => unknown>> = {
  flag: isTrue,
  isThere: () => true,
  date: readDate,
  enabled: (value: unknown) => (isTrue(value) ? undefined : 'Disabled'),
  blocked: (value: unknown) => (isTrue(value) ? 'Disabled' : undefined),
  blockedUntil: (value: unknown) =>
    Date.parse(String(readDate(value))) < Date.now() ? undefined : 'Disabled',
  digits: (value: unknown) => `+${String(value).replace(/^\+/, '')}`,
  proven: (value: unknown) => value,
  // Cognito makes one of the provider and the subject where a user came by a provider alone.
  chosen: (value: unknown, { id, row }: Around) =>
    value === id || row.UserStatus === 'EXTERNAL_PROVIDER' ? undefined : value,
  hasEmail: (value: unknown, around: Around) => among(value, 'primary_email_address', around),
  lacksEmail: (value: unknown, around: Around) => lacks(value, 'primary_email_address', around),
  hasPhone: (value: unknown, around: Around) => among(value, 'primary_phone_number', around),
  lacksPhone: (value: unknown, around: Around) => lacks(value, 'primary_phone_number', around),
};

interface Taking extends Omit<Around, 'leave' | 'row'> {
  readonly left: string[];
  /** Before the names of what is left. */
  readonly within: string;
}

function put(target: Record<string, unknown>, to: string, value: unknown): void {
  const [first = '', second] = to.split('.');
  if (second === undefined) target[first] = value;
  else target[first] = { ...(target[first] as Values | undefined), [second]: value };
}

function taken(columns: Columns, row: Values, { left, within, id }: Taking): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  const keys = Object.keys(row).filter((key) => holds(row[key]));
  const leave = (key: string) => void left.push(within + key);
  keys.filter((key) => !Object.hasOwn(columns, key)).forEach(leave);
  const from = new Map<string, string>();
  // In the order of the columns: of two for one field the later one is taken.
  for (const [key, column] of Object.entries(columns).filter(([key]) => keys.includes(key))) {
    const [to, how] = typeof column === 'string' ? [column] : column;
    const around = { row, id, leave: () => leave(key) };
    const read = how === undefined ? row[key] : READINGS[how](row[key], around);
    if (read === undefined) continue;
    const earlier = from.get(to);
    if (earlier !== undefined) leave(earlier);
    from.set(to, key);
    put(target, to, read);
    if (how === 'proven') put(target, `${to}_verified`, true);
  }
  return target;
}

/** A list or object, or its JSON in a text. Errors: `system_invalid_input`. */
export const parsed = (value: unknown): unknown =>
  typeof value === 'string' ? (readJson(`{"value":${value}}`) as Values).value : value;

/** Errors: a `SyntaxError` where JSON in a field is none. */
function itemsOf(items: Items, value: unknown, { left, id }: Omit<Taking, 'within'>): readonly object[] {
  const { from, to, kind, kinds, columns, inner, handleIsId } = items;
  const list = parsed(value);
  if (!Array.isArray(list)) throw new SyntaxError(`${from} is no list`);
  return list.filter(isObject).flatMap((item) => {
    const name = String(item[kind]);
    const { [name]: means } = kinds;
    if (means === null) return [];
    if (means === undefined || !Object.hasOwn(kinds, name)) {
      left.push(`${from}@${name}`);
      return [];
    }
    const { [kind]: _, [inner ?? '']: more, ...own } = item;
    const whole = { ...own, ...(inner === undefined ? {} : (parsed(more) as Values)) };
    const one = taken(columns, whole, { left, id, within: `${from}.` });
    if (to === 'identities') return [{ ...one, provider: means }];
    return [handleIsId ? { ...one, user_handle: Buffer.from(String(id)).toString('base64url') } : one];
  });
}

function withAttributes(given: Values, attributes: string | undefined): Values {
  if (attributes === undefined) return given;
  const { [attributes]: list, ...others } = given;
  const named = (Array.isArray(list) ? list : [])
    .filter(isObject)
    .map(({ Name, Value }) => [String(Name), Value]);
  return { ...others, ...Object.fromEntries(named) };
}

/** A row of ours, and the names of what it has not taken. */
export interface SourceRow {
  readonly body: unknown;
  readonly left: readonly string[];
}

export function fromSource(source: Source, given: unknown): SourceRow {
  if (!isObject(given)) return { body: given, left: [] };
  const left: string[] = [];
  const row = withAttributes(given, source.attributes);
  const id = row[source.id];
  const own = Object.entries(row).filter(([key]) => !source.items.some(({ from }) => from === key));
  const body = taken(source.columns, Object.fromEntries(own), { left, id, within: '' });
  for (const items of source.items) {
    const { from, to } = items;
    if (holds(row[from]))
      body[to] = [...((body[to] as object[]) ?? []), ...itemsOf(items, row[from], { left, id })];
  }
  return { body, left };
}
