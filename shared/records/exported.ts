import { type Field, type Fields, toSnakeCase } from './field.ts';

// Records as `otl config export` writes them. The names and values of fields are those of the HTTP API.

type Values = Readonly<Record<string, unknown>>;

/** Function that reports a problem in a file. `path` is the path of the value, such as `tenants.0.name`. */
export type Complain = (path: string, problem: string) => void;

export const exportedName = (key: string, { wire = toSnakeCase(key) }: Field): string => wire;

/** Returns the fields of an exported record, by key: all stored fields except secrets and personal data. */
export const listExportedFields = (fields: Fields): readonly (readonly [key: string, field: Field])[] =>
  Object.entries(fields).filter(
    ([, { access, exported, personal }]) => access !== 'answer' && exported !== false && !personal,
  );

/** Converts a record to its exported form. Fields that are not set are absent, even if they have a default. */
export const toExported = (fields: Fields, record: Values): Values =>
  Object.fromEntries(
    listExportedFields(fields)
      .filter(([key]) => record[key] !== undefined)
      .map(([key, field]) => [exportedName(key, field), toExportedValue(field, record[key])]),
  );

function toExportedValue(field: Field, value: unknown): unknown {
  if (field.kind === 'date') return new Date((value as number) * 1000).toISOString();
  if (field.kind === 'record') return toExported(field.of, value as Values);
  if (field.kind === 'records') return (value as readonly Values[]).map((each) => toExported(field.of, each));
  return value;
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Returns true for a text without lone surrogates, which have no UTF-8 form. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();
const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);
const isNumber = (value: unknown) => typeof value === 'number';

/** Pattern of an RFC 3339 time in UTC, from 1970 to 9999. Other times would break lists, which are sorted by creation time. */
const TIME = /^(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const isTime = (value: unknown) => isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value));

const simple = {
  flag: { is: (value: unknown) => typeof value === 'boolean', named: 'true or false' },
  number: { is: isNumber, named: 'a number' },
  numbers: { is: isListOf(isNumber), named: 'a list of numbers' },
  text: { is: isText, named: 'a string' },
  texts: { is: isListOf(isText), named: 'a list of strings' },
  json: { is: isObject, named: 'an object' },
  date: { is: isTime, named: 'a time such as 2026-01-31T12:00:00.000Z' },
} as const;

/** Pattern of the field names in a file that an error message may repeat. */
const NAME = /^\w{1,40}$/;

/** Reports a problem for each unknown field of an object. */
export function refuseUnknown(
  given: Values,
  known: readonly string[],
  path: string,
  complain: Complain,
): void {
  for (const name of Object.keys(given))
    if (!known.includes(name))
      if (NAME.test(name)) complain(`${path}.${name}`, 'is not a known field');
      else complain(path, 'has an unknown field');
}

/** Reads an exported record. Reports a problem for each unknown field, missing field, and value of the wrong type. */
export function readExported(fields: Fields, given: unknown, path: string, complain: Complain): Values {
  if (!isObject(given)) {
    complain(path, 'must be an object');
    return {};
  }
  const known = listExportedFields(fields);
  const names = known.map(([key, field]) => exportedName(key, field));
  refuseUnknown(given, names, path, complain);
  const read = known.map(([key, field], index) => {
    const name = names[index] ?? key;
    const at = `${path}.${name}`;
    if (Object.hasOwn(given, name)) return [key, readValue(field, given[name], at, complain)];
    if (field.always && field.default === undefined) complain(at, 'is required');
    return [key, undefined];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function readValue(field: Field, value: unknown, path: string, complain: Complain): unknown {
  if (field.kind === 'record') return readExported(field.of, value, path, complain);
  if (field.kind === 'records') {
    if (Array.isArray(value))
      return value.map((each, index) => readExported(field.of, each, `${path}.${index}`, complain));
    complain(path, 'must be a list of objects');
    return undefined;
  }
  if (field.kind === 'choice') {
    if (!field.of.some((word) => word === value)) complain(path, `must be one of ${field.of.join(', ')}`);
    return value;
  }
  const { is, named } = simple[field.kind];
  if (!is(value)) complain(path, `must be ${named}`);
  else if (field.kind === 'date') return Math.floor(Date.parse(value as string) / 1000);
  return value;
}
