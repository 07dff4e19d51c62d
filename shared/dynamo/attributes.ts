import type { Item } from './table.ts';

/**
 * Reads items without trusting them: an attribute of another type is an error of ours that names the attribute, never its
 * value.
 */

type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out what is undefined. */
export function omitUndefined<T extends object>(record: T): Compact<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Compact<T>;
}

function wrong(name: string, expected: string): Error {
  return new Error(`Stored attribute ${name} is no ${expected}`);
}

export function optionalText(item: Item, name: string): string | undefined {
  const value = item[name];
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(name, 'text');
}
export function text(item: Item, name: string): string {
  const value = optionalText(item, name);
  if (value === undefined) throw wrong(name, 'text');
  return value;
}

export function optionalNumber(item: Item, name: string): number | undefined {
  const value = item[name];
  if (value === undefined || typeof value === 'number') return value;
  throw wrong(name, 'number');
}
export function number(item: Item, name: string): number {
  const value = optionalNumber(item, name);
  if (value === undefined) throw wrong(name, 'number');
  return value;
}

export function optionalFlag(item: Item, name: string): boolean | undefined {
  const value = item[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrong(name, 'truth value');
}
export function flag(item: Item, name: string): boolean {
  return optionalFlag(item, name) ?? false;
}

/** One of the words given. */
export function oneOf<const W extends string>(item: Item, name: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === item[name]);
  if (word === undefined) throw wrong(name, 'known word');
  return word;
}

export function optionalMap(item: Item, name: string): Item | undefined {
  const value = item[name];
  if (value === undefined || isMap(value)) return value;
  throw wrong(name, 'map');
}

/** A list of maps; absent is empty. */
export function maps(item: Item, name: string): readonly Item[] {
  const value = item[name] ?? [];
  if (Array.isArray(value) && value.every(isMap)) return value;
  throw wrong(name, 'list of maps');
}

export function optionalTexts(item: Item, name: string): readonly string[] | undefined {
  const value = item[name];
  if (value === undefined) return undefined;
  const members = value instanceof Set ? [...value] : value;
  if (Array.isArray(members) && members.every((member) => typeof member === 'string')) return members;
  throw wrong(name, 'list of texts');
}
export function texts(item: Item, name: string): readonly string[] {
  return optionalTexts(item, name) ?? [];
}

/** An object that is kept as JSON text, so that no depth, number or key of it can offend DynamoDB. */
export function optionalJson(item: Item, name: string): Item | undefined {
  const source = optionalText(item, name);
  if (source === undefined) return undefined;
  const value: unknown = JSON.parse(source);
  if (isMap(value)) return value;
  throw wrong(name, 'JSON object');
}
/** The same for an object that holds texts alone. */
export function optionalJsonTexts(item: Item, name: string): Readonly<Record<string, string>> | undefined {
  const value = optionalJson(item, name);
  return value && Object.fromEntries(Object.keys(value).map((key) => [key, text(value, key)]));
}
export const asJson = (value: object | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set);
