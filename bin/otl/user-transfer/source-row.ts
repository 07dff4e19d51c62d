// Converts a user of another system's export to a row in our own format.

import {
  hasContent,
  isObject,
  markVerified,
  parseText,
  type ValueContext,
  type Values,
} from './conversions.ts';
import type { Columns, Items, Source } from './sources.ts';

interface ConversionContext extends Omit<ValueContext, 'leave' | 'row'> {
  readonly left: string[];
  /** Prefix that is put before a field name when the field is reported as not imported. */
  readonly within: string;
}

function put(target: Record<string, unknown>, to: string, value: unknown): void {
  const [first = '', second] = to.split('.');
  if (second === undefined) target[first] = value;
  else target[first] = { ...(target[first] as Values | undefined), [second]: value };
}

function convertFields(
  columns: Columns,
  row: Values,
  { left, within, id }: ConversionContext,
): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  const keys = Object.keys(row).filter((key) => hasContent(row[key]));
  const leave = (key: string) => void left.push(within + key);
  keys.filter((key) => !Object.hasOwn(columns, key)).forEach(leave);
  const from = new Map<string, string>();
  // Follow the order of the columns: if two columns fill the same field, the later one wins.
  for (const [key, column] of Object.entries(columns).filter(([key]) => keys.includes(key))) {
    const [to, convert] = typeof column === 'string' ? [column] : column;
    const around = { row, id, leave: () => leave(key) };
    const read = convert === undefined ? row[key] : convert(row[key], around);
    if (read === undefined) continue;
    const earlier = from.get(to);
    if (earlier !== undefined) leave(earlier);
    from.set(to, key);
    put(target, to, read);
    if (convert === markVerified) put(target, `${to}_verified`, true);
  }
  return target;
}

/**
 * Converts a list within an exported user, such as the user's identities, to our fields.
 * @throws `SyntaxError` if a field that should contain JSON does not.
 */
function convertItems(
  items: Items,
  value: unknown,
  { left, id }: Omit<ConversionContext, 'within'>,
): readonly object[] {
  const { from, to, kind, kinds, columns, inner, handleIsId } = items;
  const list = parseText(value);
  if (!Array.isArray(list)) throw new SyntaxError(`${from} is not a list`);
  return list.filter(isObject).flatMap((item) => {
    const name = String(item[kind]);
    const { [name]: means } = kinds;
    if (means === null) return [];
    if (means === undefined || !Object.hasOwn(kinds, name)) {
      left.push(`${from}@${name}`);
      return [];
    }
    const { [kind]: _, [inner ?? '']: more, ...own } = item;
    const whole = { ...own, ...(inner === undefined ? {} : (parseText(more) as Values)) };
    const one = convertFields(columns, whole, { left, id, within: `${from}.` });
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

/** Row in our format, with the names of the exported fields that were not converted. */
export interface SourceRow {
  readonly body: unknown;
  readonly notTaken: readonly string[];
}

export function fromSource(source: Source, given: unknown): SourceRow {
  if (!isObject(given)) return { body: given, notTaken: [] };
  const left: string[] = [];
  const row = withAttributes(given, source.attributes);
  const id = row[source.id];
  const own = Object.entries(row).filter(([key]) => !source.items.some(({ from }) => from === key));
  const body = convertFields(source.columns, Object.fromEntries(own), { left, id, within: '' });
  for (const items of source.items) {
    const { from, to } = items;
    if (hasContent(row[from]))
      body[to] = [...((body[to] as object[]) ?? []), ...convertItems(items, row[from], { left, id })];
  }
  return { body, notTaken: left };
}
