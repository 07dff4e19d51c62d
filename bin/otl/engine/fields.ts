import { InvalidArgumentError, Option } from 'commander';
import type { GenericSchema } from 'valibot';
import { readDescription, readExamples } from '../../../shared/schemas/fields/described.ts';
import { UsageError } from '../terminal/failure.ts';

type Kind = 'text' | 'number' | 'flag' | 'list' | 'pairs' | 'json';

/** Option that fills one field of a request body. */
export interface Field {
  /** Option name without dashes. */
  readonly flag: string;
  /** Field of the request body, such as `name.first_name` for a nested field. Default: the option name with underscores. */
  readonly field?: string;
  readonly kind?: Kind;
  readonly help: string;
  /** Placeholder for the option's value in the help text. */
  readonly value?: string;
  /** Example value, quoted for a shell. */
  readonly example?: string;
  /** True if the command requires the option. */
  readonly required?: boolean;
}

/** Properties of a Valibot schema from which the options of commands are derived. */
interface Part {
  readonly type: string;
  readonly wrapped?: GenericSchema;
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly item?: GenericSchema;
  readonly options?: readonly string[];
}

const unwrap = (schema: GenericSchema): Part => {
  const part: Part = schema;
  return part.wrapped ? unwrap(part.wrapped) : part;
};

const KINDS: Readonly<Record<string, Kind>> = {
  boolean: 'flag',
  number: 'number',
  array: 'list',
  object: 'json',
  unknown: 'json',
};

/** Builds the help text of an option: the first sentence of the field's description, then the names of nested fields. */
function buildHelp(schema: GenericSchema, { entries = {} }: Part): string {
  const [sentence = ''] = readDescription(schema).split(/\.(?:\s|$)/);
  const help = sentence.replaceAll('`', '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return [help, Object.keys(entries).join(', ')].filter(Boolean).join(': ');
}

export type Body = { readonly entries: Readonly<Record<string, GenericSchema>> };

/** Option names of fields and parameters for which `toFlag` would make an unsuitable name. */
const FLAGS: Readonly<Record<string, string>> = { organizationId: 'org', q: 'search', resourceUri: 'uri' };

export const toFlag = (field: string): string =>
  FLAGS[field] ??
  field
    .replace(/^(app|user)_id$|Id$/, '$1')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll('_', '-');

/**
 * Returns the fields for which one entry of a request body gets options: the entry itself or, for a person's name, its parts.
 */
const fieldNames = ([name, schema]: readonly [string, GenericSchema]): readonly string[] => {
  const { entries } = unwrap(schema);
  return name === 'name' && entries ? Object.keys(entries).map((inner) => `${name}.${inner}`) : [name];
};

/** Returns an option for each field of a body. A list becomes a repeatable option with a singular name. */
export function listBodyFields(body: Body): readonly Field[] {
  const named = Object.entries(body.entries).flatMap((entry) =>
    fieldNames(entry).map((field) => ({
      flag: toFlag(field.replace(/^name\./, '')),
      field,
      required: (entry[1] as Part).type !== 'optional',
    })),
  );
  return listSchemaFields(body, named).map((field) =>
    field.kind === 'list' || field.kind === 'pairs'
      ? { ...field, flag: field.flag.replace(/s$/, '') }
      : field,
  );
}

/** Returns options for the query or path parameters of an operation, separated into required and optional options. */
export function toParameterOptions(
  schema: Body | undefined,
  names: readonly string[],
): Record<'required' | 'options', Record<string, string>> {
  const found = { required: {} as Record<string, string>, options: {} as Record<string, string> };
  for (const name of names) {
    const entry = schema?.entries[name];
    if (!schema || !entry) continue;
    const [{ flag, value = 'text', help } = { flag: '', help: '' }] = listSchemaFields(schema, [
      { flag: toFlag(name), field: name },
    ]);
    found[(entry as Part).type === 'optional' ? 'options' : 'required'][`${flag} <${value}>`] = help;
  }
  return found;
}

/**
 * Words that the help text shows as placeholders for option values. A word is used if the field name ends with it, or if the
 * description contains "in" before it, as in "in seconds".
 */
const VALUES = ['seconds', 'hours', 'uri', 'url', 'host', 'origin', 'event', 'id'];

/** Returns the example value that the API document gives for a field, quoted for a shell. */
function findExample(schema: GenericSchema): { readonly example?: string } {
  const [example] = [readExamples(schema)[0]].flat();
  if (example === undefined) return {};
  const text = typeof example === 'object' ? JSON.stringify(example) : String(example);
  return { example: /^[\w@:/.+-]+$/.test(text) ? text : `'${text}'` };
}

function findKind(part: Part, item: Part | undefined): Kind {
  if (!item?.entries) return KINDS[part.type] ?? 'text';
  return Object.keys(item.entries).join() === 'type,value' ? 'pairs' : 'json';
}

/** Returns options for the named fields of a body, with the descriptions and types of its schema. */
export function listSchemaFields(body: Body, options: readonly Omit<Field, 'help'>[]): readonly Field[] {
  return options.map((option) => {
    const names = (option.field ?? option.flag.replaceAll('-', '_')).split('.');
    const schema = names.reduce<GenericSchema | undefined>(
      (within, name) => (within ? unwrap(within) : body).entries?.[name],
      undefined,
    );
    if (!schema) throw new Error(`the body of --${option.flag} has no such field`);
    const part = unwrap(schema);
    const item = part.item && unwrap(part.item);
    const help = buildHelp(schema, item ?? part);
    const value = VALUES.find(
      (each) => new RegExp(`${each}s?$`, 'i').test(names.join()) || help.includes(`in ${each}`),
    );
    return {
      kind: findKind(part, item),
      ...(value ? { value } : {}),
      ...findExample(schema),
      ...(part.type === 'picklist' ? { value: part.options?.join('|') } : {}),
      help,
      ...option,
    } as Field;
  });
}

function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

/** Reads an option that must be a whole number from 1 to `max`. Throws `UsageError`. */
export function readCount(flag: string, given: unknown, max: number): number {
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new UsageError(`--${flag} must be a number from 1 to ${max}.`);
  return count;
}

/** Reads a yes/no option that has a value. Without a value, commander passes `true` and does not call this function. */
function readFlag(text: string): boolean {
  if (text === 'yes' || text === 'true') return true;
  if (text === 'no' || text === 'false') return false;
  throw new InvalidArgumentError('It must be yes or no.');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

function readPair(text: string): { readonly type: string; readonly value: string } {
  const separator = text.indexOf('=');
  if (separator < 1) throw new InvalidArgumentError('It must have the form <type>=<value>.');
  return { type: text.slice(0, separator), value: text.slice(separator + 1) };
}

const READERS: Readonly<Record<Kind, (text: string) => unknown>> = {
  text: (text) => text,
  number: readNumber,
  flag: readFlag,
  list: (text) => text,
  pairs: readPair,
  json: readJson,
};

/** Parsed value of an option, wrapped in an object because commander treats null as absent. */
interface ParsedOption {
  readonly value: unknown;
}

/** Returns a parser for the values of an option. An empty value becomes null, which removes the field or empties the list. */
function createParser(kind: Kind): (text: string, before: ParsedOption | undefined) => ParsedOption {
  const read = READERS[kind];
  if (kind !== 'list' && kind !== 'pairs') return (text) => ({ value: text === '' ? null : read(text) });
  return (text, before) => ({
    value: text === '' ? null : [...((before?.value as unknown[] | null | undefined) ?? []), read(text)],
  });
}

const PLACEHOLDERS: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'number',
  flag: 'yes|no',
  list: 'text',
  pairs: 'type=value',
  json: 'json',
};

export function toOption({ flag, kind = 'text', value, help, required }: Field): Option {
  const placeholder = value ?? PLACEHOLDERS[kind];
  const repeatable = kind === 'list' || kind === 'pairs';
  const option = new Option(
    kind === 'flag' ? `--${flag} [${placeholder}]` : `--${flag} <${placeholder}>`,
    repeatable ? `${help} (repeat for several)` : help,
  ).argParser<ParsedOption>(createParser(kind));
  return option.makeOptionMandatory(required === true);
}

/**
 * Builds the request body from the options.
 * @param values Parsed options by their camel-case names, as commander returns them.
 */
export function buildBody(fields: readonly Field[], values: Readonly<Record<string, unknown>>): object {
  const body: Record<string, unknown> = {};
  for (const { flag, field = flag.replaceAll('-', '_') } of fields) {
    const given = values[camelCase(flag)];
    if (given === undefined) continue;
    const value = given === true ? given : (given as ParsedOption).value;
    const [first = field, ...rest] = field.split('.');
    const inner = rest[0];
    if (inner === undefined) body[first] = value;
    else body[first] = { ...(body[first] as object | undefined), [inner]: value };
  }
  return body;
}

/** Returns the camel-case name under which commander stores an option. */
export function camelCase(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
