import { hashSecret } from '../../../shared/domain/basis/random.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';
import { loginPreferencesFields } from '../../../shared/records/login-preferences.ts';
import { type ApiDocument, isJson, type Json, permits, type Schema } from './document.ts';
import { plainly, prose, words } from './values.ts';

/** Forms of the bodies that the document describes: a new setting is a field here without a line of code. */

type Values = Readonly<Record<string, string>>;

interface Field {
  /** Its path in the body, with dots. */
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Of an object: a method of login, which is on where it is there, whatever it holds. */
  readonly switches: boolean;
  readonly inner: readonly Field[];
}

/** An empty object switches these on, null off. */
const METHODS = Object.keys(loginPreferencesFields);

/** Longer texts get several lines. */
const LINE_MAX = 1024;

const isNullable = ({ anyOf }: Schema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false;

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
    if (schema.deprecated || (needed !== undefined && !permits(role, needed))) return [];
    const path = `${within}${name}`;
    const inner = schema.type === 'object' ? fieldsIn(document, schema, role, `${path}.`) : [];
    const switches = schema.type === 'object' && METHODS.includes(name);
    return {
      name: path,
      schema,
      required: required.includes(name),
      nullable: isNullable(raw),
      switches,
      inner,
    };
  });
}

const isPart = ({ inner, switches }: Field): boolean => switches || inner.length > 0;

const isLines = ({ schema }: Field, document: ApiDocument): boolean =>
  schema.type === 'array' && document.resolve(schema.items).type === 'string';

const isStructure = ({ schema }: Field): boolean =>
  schema.type === 'object' || schema.type === 'array' || schema.oneOf !== undefined;

/** A value of the record as the text of its input. */
function textOf(field: Field, value: unknown, document: ApiDocument): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isLines(field, document)) return (value as readonly string[]).join('\n');
  // `email` of a user: the record says more of it than a change may.
  if (!isStructure(field) && isJson(value)) return String(value.value ?? '');
  return isStructure(field) ? JSON.stringify(value, undefined, 2) : String(value);
}

/** What the inputs of a form hold for a record, by name. */
function valuesOf(document: ApiDocument, fields: readonly Field[], record: Json): Values {
  const all = fields.flatMap((field): readonly (readonly [string, string])[] => {
    const value = record[field.name.split('.').at(-1) ?? ''];
    if (!isPart(field)) return [[field.name, textOf(field, value, document)]];
    const inner = Object.entries(valuesOf(document, field.inner, isJson(value) ? value : {}));
    return [...(field.switches ? [[field.name, isJson(value) ? 'yes' : 'no'] as const] : []), ...inner];
  });
  return Object.fromEntries(all);
}

const digest = (text: string): string => hashSecret(text).slice(0, 12);

/** A browser sends CRLF. */
const sent = (text: string): string => text.replaceAll('\r\n', '\n');

/** What a form showed, as digests: a submit sends what differs, so that a change by another operator is not taken back. */
const WAS = '_was';

interface FormOf {
  readonly document: ApiDocument;
  readonly schema: Schema | undefined;
  readonly role: OperatorRole;
}

/** Names of inputs whose values differ from those that the form showed. */
function changedIn(form: Values): (name: string) => boolean {
  let was: Json = {};
  try {
    was = JSON.parse(form[WAS] ?? '{}') as Json;
  } catch {
    // Forged: everything is sent, and the API decides.
  }
  return (name) => was[name] !== digest(sent(form[name] ?? ''));
}

/** A text that is no number or no JSON goes out as it is: the API says what is wrong with it. */
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

/** An object goes out whole where anything of it has changed: it is replaced. Methods that are not given stay as they are. */
function bodyIn(
  document: ApiDocument,
  fields: readonly Field[],
  form: Values,
  isWanted: (name: string) => boolean,
): Json {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const key = field.name.split('.').at(-1) ?? '';
    const text = sent(form[field.name] ?? '');
    if (isPart(field)) {
      const names = [...(field.switches ? [field.name] : []), ...namesIn(field.inner)];
      if (!names.some(isWanted)) continue;
      if (field.switches && text !== 'yes') {
        body[key] = null;
        continue;
      }
      const inner = bodyIn(document, field.inner, form, isMethods(field) ? isWanted : () => true);
      const isEmpty = Object.values(inner).every((value) => value === null);
      if (field.switches || !isEmpty) body[key] = field.switches ? withoutNull(inner) : inner;
      else if (field.nullable) body[key] = null;
    } else if (isWanted(field.name)) {
      if (text !== '') body[key] = readValue(field, text, document);
      else if (field.nullable) body[key] = null;
      else if (field.required) body[key] = '';
    }
  }
  return body;
}

const withoutNull = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

const isMethods = ({ inner }: Field): boolean => inner.some(({ switches }) => switches);

/** The names of the inputs. */
const namesIn = (fields: readonly Field[]): readonly string[] =>
  fields.flatMap((field) => {
    if (!isPart(field)) return field.name;
    return [...(field.switches ? [field.name] : []), ...namesIn(field.inner)];
  });

/** The body that a submitted form asks for. Only fields that the role may set are read. */
export const bodyOf = ({ document, schema, role }: FormOf, form: Values): Json =>
  bodyIn(document, fieldsIn(document, schema, role), form, changedIn(form));

const idOf = (name: string): string => `f-${name}`;

function control(field: Field, text: string, document: ApiDocument): string {
  const { name, schema, required } = field;
  // Of a part that is closed a browser would refuse the form without a word.
  const isDemanded = required && !name.includes('.');
  const attributes = `id="${idOf(name)}" name="${plainly(name)}"${schema.description ? ` aria-describedby="${idOf(name)}-hint"` : ''}`;
  const choice = (options: readonly (readonly [string, string])[]) =>
    `<select ${attributes}>${options.map(([value, label]) => `<option value="${plainly(value)}"${value === text ? ' selected' : ''}>${plainly(label)}</option>`).join('')}</select>`;
  const unset = required && text !== '' ? [] : [['', 'Not set'] as const];
  if (field.switches)
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
  return `<input ${type} ${attributes} value="${plainTextarea(text)}"${isDemanded ? ' required' : ''} autocomplete="off" spellcheck="false">`;
}

/** What is edited comes back as it was: nothing of it is left out. */
const plainTextarea = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function hint(field: Field, document: ApiDocument): string {
  const { name, schema } = field;
  const lines = isLines(field, document) ? ' One a line.' : '';
  const structure = !isPart(field) && isStructure(field) && lines === '' ? ' As JSON.' : '';
  return schema.description
    ? `<p class="soft hint" id="${idOf(name)}-hint">${prose(schema.description)}${lines}${structure}</p>`
    : '';
}

function inputHtml(field: Field, values: Values, document: ApiDocument): string {
  const label = plainly(words(field.name.split('.').at(-1) ?? ''));
  const own = values[field.name] ?? '';
  const inner = field.inner.map((each) => inputHtml(each, values, document)).join('');
  if (isPart(field) && !field.switches)
    return `<details class="part"><summary>${label}</summary>${hint(field, document)}${inner}</details>`;
  const row = `<label for="${idOf(field.name)}">${label}</label>${control(field, own, document)}${hint(field, document)}`;
  return inner === ''
    ? row
    : `<details class="part"${own === 'yes' ? ' open' : ''}><summary>${label}</summary>${row}${inner}</details>`;
}

/** A heading and the names of the top-level fields below it. */
export interface Group {
  readonly title: string;
  readonly fields: readonly string[];
}

/**
 * The inputs of a body, filled with the record, or with what was submitted last. Fields that no group names come last.
 */
export function inputsHtml(
  { document, schema, role }: FormOf,
  record: Json,
  submitted: Values | undefined,
  groups: readonly Group[] = [],
): string {
  const fields = fieldsIn(document, schema, role);
  const shownValues = valuesOf(document, fields, record);
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
      ? `<fieldset><legend>${plainly(title)}</legend>${inputs}</fieldset>`
      : inputs;
  });
  return `<input type="hidden" name="${WAS}" value="${plainTextarea(was)}">${parts.join('')}`;
}

/** Whether a role may set anything of it. */
export const hasInputs = ({ document, schema, role }: FormOf): boolean =>
  fieldsIn(document, schema, role).length > 0;
