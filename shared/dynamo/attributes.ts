export type Item = Readonly<Record<string, unknown>>;

/**
 * Reads items without trusting them: an attribute of another type is an error of ours that names the attribute, never its
 * value.
 */

export function wrongAttribute(name: string, expected: string): Error {
  return new Error(`Stored attribute ${name} is no ${expected}`);
}

export function readText(item: Item, name: string): string {
  const value = item[name];
  if (typeof value === 'string') return value;
  throw wrongAttribute(name, 'text');
}

export function readNumber(item: Item, name: string, absent?: number): number {
  const value = item[name] ?? absent;
  if (typeof value === 'number') return value;
  throw wrongAttribute(name, 'number');
}

export function readNumbers(item: Item, name: string): readonly number[] {
  const value = item[name];
  if (Array.isArray(value) && value.every((member) => typeof member === 'number')) return value;
  throw wrongAttribute(name, 'list of numbers');
}

/** Absent is empty. A set reads as a list. */
export function readTexts(item: Item, name: string): readonly string[] {
  const { [name]: value = [] } = item;
  const members = value instanceof Set ? [...value] : value;
  if (Array.isArray(members) && members.every((member) => typeof member === 'string')) return members;
  throw wrongAttribute(name, 'list of texts');
}

/** Absent is empty. */
export function readMap(item: Item, name: string): Item {
  const { [name]: value = {} } = item;
  if (isMap(value)) return value;
  throw wrongAttribute(name, 'map');
}

export function readMaps(item: Item, name: string): readonly Item[] {
  const { [name]: value } = item;
  if (Array.isArray(value) && value.every(isMap)) return value;
  throw wrongAttribute(name, 'list of maps');
}

export const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set);

/**
 * Whether an item is past its `purge_at`, and gone for every reader. TTL takes up to two days to delete it, and a global table with
 * strong consistency has no TTL.
 */
export const isPast = ({ purge_at }: Item, at: number): boolean =>
  typeof purge_at === 'number' && purge_at <= at;

/** Of a write that takes an item past its `purge_at` for none: it is refused where there is one that is not. */
export const GONE = '(attribute_not_exists(#pk) OR #purge_at <= :at)';
