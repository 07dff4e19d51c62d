// Fields of forms, made from the request bodies in the API document, and the request body of a submitted form.

import { hashSecret } from '../../../shared/domain/basis/random.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';
import { loginPreferencesFields } from '../../../shared/records/login-preferences.ts';
import type { FieldWords, WordsTable } from '../words/words.ts';
import { type ApiDocument, isJson, isPermitted, type Json, type Schema } from './document.ts';

/** Values of a form's inputs as text, by the names of the inputs. */
export type Values = Readonly<Record<string, string>>;

/** A field of a form, made from the schema of a request body. */
export interface Field {
  /** Path of the field in the body, separated by dots. */
  readonly name: string;
  readonly schema: Schema;
  /** Label and help text for operators; undefined if only the API document describes the field. */
  readonly words: FieldWords | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
  /** True if the field is a login method: an object whose presence switches the method on, whatever it contains. */
  readonly isSwitch: boolean;
  /** Nested fields, if the field is an object. */
  readonly inner: readonly Field[];
  /** Returns the fields of one entry, if the field is a list of objects. Their names contain the index of the entry. */
  readonly entry?: ((index: number) => readonly Field[]) | undefined;
}

/** Names of the login methods. An empty object switches a method on, and null switches it off. */
const METHODS = Object.keys(loginPreferencesFields);

const isNullable = ({ anyOf }: Schema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false;

/** Sorts the names of a schema's fields in the order in which `words` lists them. Fields that `words` lacks come last. */
const sortNames = (names: readonly string[], words: WordsTable): readonly string[] => [
  ...Object.keys(words).filter((name) => names.includes(name)),
  ...names.filter((name) => !Object.hasOwn(words, name)),
];

/** Lists the fields of a schema that a role may set, including fields of nested objects. Omits deprecated fields. */
function fieldsIn({ document, schema: given, role, words = {} }: FormSchema, within = ''): readonly Field[] {
  const { properties = {}, required = [] } = document.resolve(given);
  return sortNames(Object.keys(properties), words).flatMap((name) => {
    const raw = properties[name] ?? {};
    const schema = document.resolve(raw);
    const needed = schema['x-operator-role'];
    const own = words[name];
    if (schema.deprecated || own?.hidden || (needed !== undefined && !isPermitted(role, needed))) return [];
    const path = `${within}${name}`;
    const inner =
      schema.type === 'object'
        ? fieldsIn({ document, schema, role, words: own?.inner ?? {} }, `${path}.`)
        : [];
    const isSwitch = schema.type === 'object' && METHODS.includes(name);
    const item = document.resolve(schema.items);
    // Objects with unknown members, such as JSON Web Keys, are edited as JSON.
    const hasEntries = item.type === 'object' && item.additionalProperties === undefined;
    const entry = (index: number) =>
      fieldsIn({ document, schema: item, role, words: own?.inner ?? {} }, `${path}.${index}.`);
    return {
      name: path,
      schema,
      words: own,
      required: required.includes(name),
      nullable: isNullable(raw),
      isSwitch,
      inner,
      entry: hasEntries ? entry : undefined,
    };
  });
}

/** Returns true if a field is shown as a collapsible part of the form. */
export const isPart = ({ inner, isSwitch, entry }: Field): boolean =>
  isSwitch || inner.length > 0 || entry !== undefined;

/** Returns true if a field is a list of strings, which operators edit in an input with one line per entry. */
export const isLines = ({ schema }: Field, document: ApiDocument): boolean =>
  schema.type === 'array' && document.resolve(schema.items).type === 'string';

/** Returns true if a field is a time, whose input contains a time in UTC such as `2026-01-31T13:05`. */
export const isTime = ({ schema }: Field): boolean => schema.format === 'date-time';

const TIME_LENGTH = '2026-01-31T13:05'.length;

/** Returns true for an object or list field. A list of strings is edited line by line, other lists and objects as JSON. */
export const isStructure = ({ schema }: Field): boolean =>
  schema.type === 'object' || schema.type === 'array' || schema.oneOf !== undefined;

/** Converts a value of the record to the text of its input. */
function inputText(field: Field, value: unknown, document: ApiDocument): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isLines(field, document)) return (value as readonly string[]).join('\n');
  if (isTime(field)) return String(value).slice(0, TIME_LENGTH);
  // The `email` of a user is an object in the record but a string in a request.
  if (!isStructure(field) && isJson(value)) return String(value.value ?? '');
  return isStructure(field) ? JSON.stringify(value, undefined, 2) : String(value);
}

/** Lists the indexes of a list's entries that have inputs in a form. */
export const listIndexes = ({ name }: Field, values: Values): readonly number[] =>
  [
    ...new Set(
      Object.keys(values)
        .filter((input) => input.startsWith(`${name}.`))
        .map((input) => Number(input.slice(name.length + 1).split('.')[0])),
    ),
  ].filter((index) => Number.isSafeInteger(index) && index >= 0);

/** Lists the indexes of a list's entries that have text in an input. Operators remove an entry by emptying its inputs. */
export const listFilledIndexes = (field: Field, values: Values): readonly number[] =>
  listIndexes(field, values).filter((index) =>
    namesIn(field.entry?.(index) ?? [], values).some((name) => (values[name] ?? '') !== ''),
  );

/**
 * Returns the values that a form's inputs show for a record, as text, by the names of the inputs. A list also has empty inputs,
 * in which the operator can add an entry.
 */
export function toInputValues(document: ApiDocument, fields: readonly Field[], record: Json): Values {
  const all = fields.flatMap((field): readonly (readonly [string, string])[] => {
    const value = record[field.name.split('.').at(-1) ?? ''];
    if (!isPart(field)) return [[field.name, inputText(field, value, document)]];
    const { entry } = field;
    if (entry)
      return [...(Array.isArray(value) ? value : []), {}].flatMap((each, index) =>
        Object.entries(toInputValues(document, entry(index), isJson(each) ? each : {})),
      );
    const inner = Object.entries(toInputValues(document, field.inner, isJson(value) ? value : {}));
    return [...(field.isSwitch ? [[field.name, isJson(value) ? 'yes' : 'no'] as const] : []), ...inner];
  });
  return Object.fromEntries(all);
}

/** Separates the name of a list's field from the value that a checkbox adds to the list, in the name of the checkbox. */
const CHOICE = '[]';

/** Returns the name of the checkbox that adds a value to a list. Names differ, because no form may repeat a name. */
export const toChoiceName = (name: string, value: string): string => `${name}${CHOICE}${value}`;

/** Joins the values of the checked checkboxes of each list to the text of the list's field, one value per line. */
export function joinChoices(form: Values): Values {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(form)) {
    const [field = ''] = name.split(CHOICE);
    joined[field] = [joined[field], value].filter(Boolean).join('\n');
  }
  return { ...joined };
}

export const digest = (text: string): string => hashSecret(text).slice(0, 12);

/** Normalises the line breaks of a submitted text, because browsers send CRLF. */
const withoutCr = (text: string): string => text.replaceAll('\r\n', '\n');

/**
 * Name of the hidden input with digests of the displayed values. Only values whose digests differ are sent, so that the form
 * does not overwrite a change by another operator.
 */
export const WAS = '_was';

/** Schema of a request body, with the operator role and the page for which its form is made. */
export interface FormSchema {
  readonly document: ApiDocument;
  readonly schema: Schema | undefined;
  readonly role: OperatorRole;
  readonly words?: WordsTable;
  /** Page of the form. `START` is the page of the form that creates a record. Undefined if the form has only one page. */
  readonly page?: string | undefined;
}

/**
 * Value of `page` for the form that creates a record. The form contains only the fields marked `start`; the operator sets the
 * others later.
 */
export const START = 'start';

/** Lists the fields on a page of a form, limited to the fields that the role may set. */
export const listFormFields = (of: FormSchema): readonly Field[] =>
  fieldsIn(of).filter(
    ({ words }) => of.page === undefined || (of.page === START ? words?.start : words?.page === of.page),
  );

/** Returns true if the role may set at least one field on the page of a form. */
export const hasInputs = (of: FormSchema): boolean => listFormFields(of).length > 0;

/** Lists the pages of a form on which the role may set at least one field. */
export const listFormPages = (of: FormSchema): readonly string[] => [
  ...new Set(fieldsIn(of).flatMap(({ words }) => words?.page ?? [])),
];

/**
 * Returns true if the page of a form has a field that requires a login in the last ten minutes and is not hidden under
 * "Advanced".
 */
export const isGuardedForm = (of: FormSchema): boolean =>
  listFormFields(of).some(({ schema, words }) => schema['x-operator-role'] === 'guarded' && !words?.advanced);

/**
 * Returns a function that checks if the value of an input differs from the value that the form showed. Inputs on other pages of
 * the form were not submitted, so they count as unchanged.
 */
function changedIn(form: Values): (name: string) => boolean {
  let was: Json = {};
  try {
    was = JSON.parse(form[WAS] ?? '{}') as Json;
  } catch {
    // Only a forged form can contain invalid JSON. All its values are then treated as changed, and the API validates them.
  }
  return (name) => Object.hasOwn(form, name) && was[name] !== digest(withoutCr(form[name] ?? ''));
}

/**
 * Converts the text of an input to the API's value. Leaves an invalid number or JSON as text, so that the API reports an error.
 */
function readValue(field: Field, text: string, document: ApiDocument): unknown {
  const { schema } = field;
  if (isLines(field, document))
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (isStructure(field)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  if (isTime(field)) return text.length === TIME_LENGTH ? `${text}:00Z` : text;
  if (schema.type === 'boolean') return text === 'yes';
  if (schema.type === 'number' || schema.type === 'integer')
    return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

/**
 * Builds a request body from a form. If any field of a nested object has changed, the body contains the whole object, because
 * the API replaces the object. Login methods are an exception: methods that the body omits stay unchanged.
 */
function bodyIn(
  document: ApiDocument,
  fields: readonly Field[],
  form: Values,
  isWanted: (name: string) => boolean,
): Json {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const key = field.name.split('.').at(-1) ?? '';
    const text = withoutCr(form[field.name] ?? '');
    if (isPart(field)) {
      if (!namesIn([field], form).some(isWanted)) continue;
      const { entry } = field;
      if (entry) {
        const entries = listFilledIndexes(field, form).map((index) =>
          withoutNull(bodyIn(document, entry(index), form, () => true)),
        );
        body[key] = entries.length === 0 && field.nullable ? null : entries;
        continue;
      }
      if (field.isSwitch && text !== 'yes') {
        body[key] = null;
        continue;
      }
      // An empty object switches a login method on, and null switches it off, so both are sent. Any other empty object is sent
      // as null if the schema allows null.
      const inner = bodyIn(document, field.inner, form, isMethods(field) ? isWanted : () => true);
      const isEmpty = !isMethods(field) && Object.values(inner).every((value) => value === null);
      if (field.isSwitch || !isEmpty) body[key] = field.isSwitch ? withoutNull(inner) : inner;
      else if (field.nullable) body[key] = null;
    } else if (isWanted(field.name)) {
      // Null removes the value of an emptied field. For a required field, '' makes the API report the error.
      if (text !== '') body[key] = readValue(field, text, document);
      else if (field.nullable) body[key] = null;
      else if (field.required) body[key] = isLines(field, document) ? [] : '';
    }
  }
  return body;
}

const withoutNull = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Returns true if a field is the object that contains the login methods. */
const isMethods = ({ inner }: Field): boolean => inner.some(({ isSwitch }) => isSwitch);

/**
 * Lists the input names of fields and of the fields nested in them. For a list, these are the inputs of all entries in `form`.
 */
const namesIn = (fields: readonly Field[], form: Values): readonly string[] =>
  fields.flatMap((field) => {
    if (!isPart(field)) return field.name;
    const { entry } = field;
    const nested = entry ? listIndexes(field, form).flatMap(entry) : field.inner;
    return [...(field.isSwitch ? [field.name] : []), ...namesIn(nested, form)];
  });

/** Builds the request body of a submitted form. Ignores fields that the role may not set. */
export const readBody = (of: FormSchema, form: Values): Json =>
  bodyIn(of.document, fieldsIn(of), form, changedIn(form));
