export type Item = Readonly<Record<string, unknown>>;

// Readers that validate stored items. An attribute of the wrong type throws an error that contains its name, never its value.

export function wrongAttribute(name: string, expected: string): Error {
  return new Error(`Stored attribute ${name} is not a ${expected}`);
}

export function readText(item: Item, name: string): string {
  const value = item[name];
  if (typeof value === 'string') return value;
  throw wrongAttribute(name, 'string');
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

/** Reads a list or set of strings. Returns an empty list if the attribute is absent. */
export function readTexts(item: Item, name: string): readonly string[] {
  const { [name]: value = [] } = item;
  const members = value instanceof Set ? [...value] : value;
  if (Array.isArray(members) && members.every((member) => typeof member === 'string')) return members;
  throw wrongAttribute(name, 'list of strings');
}

/** Reads a map. Returns an empty map if the attribute is absent. */
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
 * Returns true if an item is past its `purge_at`. Readers must ignore such an item, because DynamoDB's TTL takes up to two days
 * to delete it, and global tables with strong consistency have no TTL.
 */
export const isPurgeable = ({ purge_at }: Item, at: number): boolean =>
  typeof purge_at === 'number' && purge_at <= at;

/**
 * Condition of writes that treat an item past its `purge_at` as missing. The condition fails if the item is not past its
 * `purge_at`.
 */
export const IS_MISSING_OR_PURGEABLE = '(attribute_not_exists(#pk) OR #purge_at <= :at)';
