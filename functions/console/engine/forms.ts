// Forms for the request bodies in the API document. A new setting appears as a field without any code here.

import { hashSecret } from '../../../shared/domain/basis/random.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';
import { loginPreferencesFields } from '../../../shared/records/login-preferences.ts';
import { type ApiDocument, isJson, isPermitted, type Json, type Schema } from './document.ts';
import { renderDescription, toAttributeText, toWords } from './values.ts';

type Values = Readonly<Record<string, string>>;

/** A field of a form, made from the schema of a request body. */
interface Field {
  /** Path of the field in the body, separated by dots. */
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly nullable: boolean;
  /** True for a login method: an object that switches the method on by being present, whatever it contains. */
  readonly isSwitch: boolean;
  /** Nested fields, if the field is an object. */
  readonly inner: readonly Field[];
}

/** Names of the login methods. An empty object switches a method on, and null switches it off. */
const METHODS = Object.keys(loginPreferencesFields);

/** Maximum text length, in characters, for which a form uses a single-line input. */
const LINE_MAX = 1024;

const isNullable = ({ anyOf }: Schema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false;

/** Lists the fields of a schema that a role may set, including fields of nested objects. Omits deprecated fields. */
function fieldsIn(
  document: ApiDocument,
  given: Schema | undefined,
  role: OperatorRole,
  within = '',
): readonly Field[] {
  const { properties = {}, required = [] } = document.resolve(given);
  return Object.entries(properties).flatMap(([name, raw]) => {
    const schema = document.resolve(raw);
    const needed = schema['x-operator-role'];
    if (schema.deprecated || (needed !== undefined && !isPermitted(role, needed))) return [];
    const path = `${within}${name}`;
    const inner = schema.type === 'object' ? fieldsIn(document, schema, role, `${path}.`) : [];
    const isSwitch = schema.type === 'object' && METHODS.includes(name);
    return {
      name: path,
      schema,
      required: required.includes(name),
      nullable: isNullable(raw),
      isSwitch,
      inner,
    };
  });
}

/** Returns true if a field is shown as a collapsible part of the form. */
const isPart = ({ inner, isSwitch }: Field): boolean => isSwitch || inner.length > 0;

/** Returns true if a field is a list of strings. Its input has one entry per line. */
const isLines = ({ schema }: Field, document: ApiDocument): boolean =>
  schema.type === 'array' && document.resolve(schema.items).type === 'string';

/** Returns true for an object or list field. A list of strings is edited line by line, other lists and objects as JSON. */
const isStructure = ({ schema }: Field): boolean =>
  schema.type === 'object' || schema.type === 'array' || schema.oneOf !== undefined;

/** Converts a value of the record to the text of its input. */
function inputText(field: Field, value: unknown, document: ApiDocument): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isLines(field, document)) return (value as readonly string[]).join('\n');
  // The `email` of a user is an object in the record but a string in a request.
  if (!isStructure(field) && isJson(value)) return String(value.value ?? '');
  return isStructure(field) ? JSON.stringify(value, undefined, 2) : String(value);
}

/** Returns the texts of a form's inputs for a record, by the names of the inputs. */
function toInputValues(document: ApiDocument, fields: readonly Field[], record: Json): Values {
  const all = fields.flatMap((field): readonly (readonly [string, string])[] => {
    const value = record[field.name.split('.').at(-1) ?? ''];
    if (!isPart(field)) return [[field.name, inputText(field, value, document)]];
    const inner = Object.entries(toInputValues(document, field.inner, isJson(value) ? value : {}));
    return [...(field.isSwitch ? [[field.name, isJson(value) ? 'yes' : 'no'] as const] : []), ...inner];
  });
  return Object.fromEntries(all);
}

const digest = (text: string): string => hashSecret(text).slice(0, 12);

/** Normalises the line breaks of a submitted text, because browsers send CRLF. */
const withoutCr = (text: string): string => text.replaceAll('\r\n', '\n');

/**
 * Name of the hidden input with digests of the displayed values. Only values whose digests differ are sent, so that the form
 * does not overwrite a change by another operator.
 */
const WAS = '_was';

/** Schema of a request body, and the operator role for which its form is made. */
interface FormSchema {
  readonly document: ApiDocument;
  readonly schema: Schema | undefined;
  readonly role: OperatorRole;
}

/** Returns a function that checks if the value of an input differs from the value that the form showed. */
function changedIn(form: Values): (name: string) => boolean {
  let was: Json = {};
  try {
    was = JSON.parse(form[WAS] ?? '{}') as Json;
  } catch {
    // Only a forged form can contain invalid JSON. All its values are then treated as changed, and the API validates them.
  }
  return (name) => was[name] !== digest(withoutCr(form[name] ?? ''));
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
  if (schema.type === 'boolean') return text === 'yes';
  if (schema.type === 'number' || schema.type === 'integer')
    return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

/**
 * Builds a request body from a form. If any field of a nested object has changed, sends the whole object, because the API
 * replaces it. Login methods are the exception: methods that are not sent stay unchanged.
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
      const names = [...(field.isSwitch ? [field.name] : []), ...namesIn(field.inner)];
      if (!names.some(isWanted)) continue;
      if (field.isSwitch && text !== 'yes') {
        body[key] = null;
        continue;
      }
      // An empty object switches a login method on, so it is sent. Any other empty object is sent as null if the schema allows
      // null.
      const inner = bodyIn(document, field.inner, form, isMethods(field) ? isWanted : () => true);
      const isEmpty = Object.values(inner).every((value) => value === null);
      if (field.isSwitch || !isEmpty) body[key] = field.isSwitch ? withoutNull(inner) : inner;
      else if (field.nullable) body[key] = null;
    } else if (isWanted(field.name)) {
      // Null removes the value of an emptied field. For a required field, '' makes the API report the error.
      if (text !== '') body[key] = readValue(field, text, document);
      else if (field.nullable) body[key] = null;
      else if (field.required) body[key] = '';
    }
  }
  return body;
}

const withoutNull = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Returns true if a field is the object that contains the login methods. */
const isMethods = ({ inner }: Field): boolean => inner.some(({ isSwitch }) => isSwitch);

/** Lists the input names of fields and of the fields nested in them. */
const namesIn = (fields: readonly Field[]): readonly string[] =>
  fields.flatMap((field) => {
    if (!isPart(field)) return field.name;
    return [...(field.isSwitch ? [field.name] : []), ...namesIn(field.inner)];
  });

/** Builds the request body of a submitted form. Ignores fields that the role may not set. */
export const readBody = ({ document, schema, role }: FormSchema, form: Values): Json =>
  bodyIn(document, fieldsIn(document, schema, role), form, changedIn(form));

const toInputId = (name: string): string => `f-${name}`;

/** Renders the input of a field as a select, a textarea or a text input. */
function control(field: Field, text: string, document: ApiDocument): string {
  const { name, schema, required } = field;
  // A nested field is never required in HTML: while its part is collapsed, the browser would block the form without a message.
  const isRequired = required && !name.includes('.');
  const attributes = `id="${toInputId(name)}" name="${toAttributeText(name)}"${schema.description ? ` aria-describedby="${toInputId(name)}-hint"` : ''}`;
  const choice = (options: readonly (readonly [string, string])[]) =>
    `<select ${attributes}>${options.map(([value, label]) => `<option value="${toAttributeText(value)}"${value === text ? ' selected' : ''}>${toAttributeText(label)}</option>`).join('')}</select>`;
  const unset = required && text !== '' ? [] : [['', 'Not set'] as const];
  if (field.isSwitch)
    return choice([
      ['no', 'Off'],
      ['yes', 'On'],
    ]);
  if (schema.type === 'boolean') return choice([...unset, ['yes', 'Yes'], ['no', 'No']]);
  if (schema.enum)
    return choice([...unset, ...schema.enum.map((each) => [String(each), String(each)] as const)]);
  if (isLines(field, document) || isStructure(field) || (schema.maxLength ?? 0) > LINE_MAX)
    return `<textarea ${attributes} rows="${Math.min(8, Math.max(2, text.split('\n').length))}" spellcheck="false">${plainTextarea(text)}</textarea>`;
  const type =
    schema.type === 'number' || schema.type === 'integer' ? 'type="number" step="any"' : 'type="text"';
  return `<input ${type} ${attributes} value="${plainTextarea(text)}"${isRequired ? ' required' : ''} autocomplete="off" spellcheck="false">`;
}

/** Escapes the text of an input. Unlike `toAttributeText`, removes nothing, because the text is submitted again. */
const plainTextarea = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function hint(field: Field, document: ApiDocument): string {
  const { name, schema } = field;
  const lines = isLines(field, document) ? ' One per line.' : '';
  const structure = !isPart(field) && isStructure(field) && lines === '' ? ' As JSON.' : '';
  return schema.description
    ? `<p class="soft hint" id="${toInputId(name)}-hint">${renderDescription(schema.description)}${lines}${structure}</p>`
    : '';
}

/** Renders a field with its label and hint, and the fields of an object as a collapsible part. */
function inputHtml(field: Field, values: Values, document: ApiDocument): string {
  const label = toAttributeText(toWords(field.name.split('.').at(-1) ?? ''));
  const own = values[field.name] ?? '';
  const inner = field.inner.map((each) => inputHtml(each, values, document)).join('');
  if (isPart(field) && !field.isSwitch)
    return `<details class="part"><summary>${label}</summary>${hint(field, document)}${inner}</details>`;
  const row = `<label for="${toInputId(field.name)}">${label}</label>${control(field, own, document)}${hint(field, document)}`;
  return inner === ''
    ? row
    : `<details class="part"${own === 'yes' ? ' open' : ''}><summary>${label}</summary>${row}${inner}</details>`;
}

/** A heading of a form, and the names of the top-level fields below it. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly string[];
}

/** Renders the inputs of a form, filled with the record or the last submission. Fields that no group names come last. */
export function inputsHtml(
  { document, schema, role }: FormSchema,
  record: Json,
  submitted: Values | undefined,
  groups: readonly FieldGroup[] = [],
): string {
  const fields = fieldsIn(document, schema, role);
  const shownValues = toInputValues(document, fields, record);
  const values = submitted ?? shownValues;
  const was =
    submitted?.[WAS] ??
    JSON.stringify(
      Object.fromEntries(Object.entries(shownValues).map(([name, text]) => [name, digest(text)])),
    );
  const grouped = groups.flatMap(({ fields: names }) => names);
  const rest = {
    title: 'More',
    fields: fields.map(({ name }) => name).filter((name) => !grouped.includes(name)),
  };
  const parts = [...groups, rest].map(({ title, fields: names }) => {
    const own = names.flatMap((name) => fields.filter((field) => field.name === name));
    const inputs = own.map((field) => inputHtml(field, values, document)).join('');
    return inputs && groups.length > 0
      ? `<fieldset><legend>${toAttributeText(title)}</legend>${inputs}</fieldset>`
      : inputs;
  });
  return `<input type="hidden" name="${WAS}" value="${plainTextarea(was)}">${parts.join('')}`;
}

/** Returns true if the role may set at least one field of the body. */
export const hasInputs = ({ document, schema, role }: FormSchema): boolean =>
  fieldsIn(document, schema, role).length > 0;
