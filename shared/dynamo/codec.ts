import type { Item } from './attributes.ts';
import { isMap, readMap, readMaps, readNumber, readText, readTexts, wrongAttribute } from './attributes.ts';

/** Codec of one record field, which is stored in one attribute or in several that are always written together. */
export interface Field<T> {
  /** Names of the field's attributes. The first attribute exists if and only if the field does. */
  readonly attributes: readonly string[];
  readonly read: (item: Item) => T;
  readonly write: (value: T, item: Record<string, unknown>) => void;
}

/** Codec that reads and writes a record. It is also a field, so that a record can store another record in its attributes. */
export interface Codec<T> extends Field<T> {
  /** Converts a record to attributes. An absent field becomes undefined: a put omits the attribute, an update removes it. */
  readonly toAttributes: (record: T) => Readonly<Record<string, unknown>>;
}

/**
 * Creates a codec from a list of fields. The list must include optional fields. Otherwise, the next replacement of a record
 * would delete a field that the list omits.
 */
export function codec<T extends object>(fields: { readonly [K in keyof T]-?: Field<T[K]> }): Codec<T> {
  const entries = Object.entries(fields) as [keyof T, Field<T[keyof T]>][];
  const write = (record: T, item: Record<string, unknown>) => {
    for (const [key, field] of entries) field.write(record[key], item);
  };
  return {
    attributes: entries.flatMap(([, field]) => field.attributes),
    read(item) {
      const record: Partial<T> = {};
      for (const [key, field] of entries) {
        const value = field.read(item);
        if (value !== undefined) record[key] = value;
      }
      return record as T;
    },
    write,
    toAttributes(record) {
      const item = {};
      write(record, item);
      return item;
    },
  };
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  const { attributes } = field;
  const [sign = ''] = attributes;
  return {
    attributes,
    read: (item) => (item[sign] === undefined ? undefined : field.read(item)),
    write(value, item) {
      if (value !== undefined) field.write(value, item);
      else for (const name of attributes) item[name] = undefined;
    },
  };
}

/**
 * Creates a required field that is stored in one attribute. The field has no default value, so that a missing attribute is
 * detected.
 */
export function attribute<T>(
  name: string,
  read: (item: Item, name: string) => T,
  encode: (value: T) => unknown = (value) => value,
): Field<T> {
  return {
    attributes: [name],
    read(item) {
      if (item[name] === undefined) throw new Error(`Stored attribute ${name} is missing`);
      return read(item, name);
    },
    write(value, item) {
      item[name] = encode(value);
    },
  };
}

export const text = (name: string): Field<string> => attribute(name, readText);
export const number = (name: string): Field<number> => attribute(name, readNumber);

export const flag = (name: string): Field<boolean> =>
  attribute(name, (item) => {
    const { [name]: value } = item;
    if (typeof value === 'boolean') return value;
    throw wrongAttribute(name, 'boolean');
  });

export const oneOf = <const W extends string>(name: string, words: readonly W[]): Field<W> =>
  attribute(name, (item) => {
    const word = words.find((candidate) => candidate === item[name]);
    if (word === undefined) throw wrongAttribute(name, 'known value');
    return word;
  });

export const texts = (name: string): Field<readonly string[]> => attribute(name, readTexts);

/**
 * Creates a field stored as a set, so that adding a member twice has no effect. DynamoDB has no empty sets, so an empty list is
 * stored as an absent attribute.
 */
export const textSet = (name: string): Field<readonly string[]> =>
  attribute(name, readTexts, (members) => (members.length > 0 ? new Set(members) : undefined));

export const map = <T>(name: string, { read, toAttributes }: Codec<T>): Field<T> =>
  attribute(name, (item) => read(readMap(item, name)), toAttributes);

export const maps = <T>(name: string, { read, toAttributes }: Codec<T>): Field<readonly T[]> =>
  attribute<readonly T[]>(
    name,
    (item) => readMaps(item, name).map(read),
    (records) => records.map(toAttributes),
  );

/** Creates a field that is stored as JSON text, because DynamoDB restricts nesting depth, numbers and map keys. */
export const json = <T>(
  name: string,
  parse: (object: Item) => T,
  toObject: (value: T) => unknown = (value) => value,
): Field<T> =>
  attribute(
    name,
    (item) => {
      const value: unknown = JSON.parse(readText(item, name));
      if (isMap(value)) return parse(value);
      throw wrongAttribute(name, 'JSON object');
    },
    (value) => JSON.stringify(toObject(value)),
  );

export const jsonTexts = (name: string): Field<Readonly<Record<string, string>>> =>
  json(name, (value) => Object.fromEntries(Object.keys(value).map((key) => [key, readText(value, key)])));
