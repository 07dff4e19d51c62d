import { type BaseIssue, type GenericSchema, getMetadata, type InferOutput, safeParse } from 'valibot';
import { BODY_MAX_BYTES } from '../domain/basis/limits.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from '../operation.ts';
import type { Exchange } from './exchange.ts';
import { listNamedMethods } from './path.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the reason why a value is invalid. The text never repeats the value, which might be a secret. */
function describeIssue(issue: BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && (issue.received === 'undefined' || issue.type === 'strict_object'))
    return 'is required';
  const requirement = (issue as { requirement?: unknown }).requirement;
  switch (issue.type) {
    case 'max_length':
      return `must have at most ${requirement} ${Array.isArray(issue.input) ? 'entries' : 'characters'}`;
    case 'min_length':
    case 'non_empty':
      return 'must not be empty';
    case 'max_value':
      return `must be at most ${requirement}`;
    case 'min_value':
      return `must be at least ${requirement}`;
    case 'gt_value':
      return `must be more than ${requirement}`;
    case 'integer':
      return 'must be an integer';
    case 'regex':
      return issue.message.startsWith('Invalid') ? 'has the wrong format' : issue.message;
    default:
      return issue.kind === 'schema' ? `must be ${issue.expected ?? 'valid'}` : 'is invalid';
  }
}

/** Pattern of field names that an error message may repeat, even though a caller chose them. */
const NAME = /^[\w-]{4,40}$/;

/** Normalises a name for comparison. `phoneNumber`, `phone-number` and `phone_number` are then equal. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Finds the field that the caller probably sent instead of a missing field, for a hint in the error message. One of the two
 * names contains the other, apart from spelling.
 */
function nearMiss(wanted: string, given: unknown, schemas: readonly GenericSchema[]): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const aim = plain(wanted);
  return Object.keys(given).find((name) => {
    const close = plain(name);
    return (
      NAME.test(name) &&
      (aim.includes(close) || close.includes(aim)) &&
      !schemas.some((schema) => isField(schema, name))
    );
  });
}

function describeIssues(issues: readonly BaseIssue<unknown>[], schema: GenericSchema): string[] {
  const lines = issues.map((issue) => {
    const path = issue.path?.map((item) => String(item.key)).join('.');
    const why = describeIssue(issue);
    const last = issue.path?.at(-1);
    const near =
      why === 'is required' && last
        ? nearMiss(String(last.key), last.input, schemasAt(schema, issue.path?.slice(0, -1) ?? []))
        : undefined;
    return `${path || 'body'}: ${why}${near === undefined ? '' : `; you sent ${near}, did you mean ${last?.key}?`}`;
  });
  return [...new Set(lines)].slice(0, 20);
}

function invalidFields(messages: readonly string[]): ServiceError {
  return new ServiceError('system_invalid_input', { message: messages[0] ?? 'Invalid input', messages });
}

/** Structure of a valibot schema, as far as this module reads it. */
interface Parts {
  readonly type: string;
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly options?: readonly GenericSchema[];
  readonly wrapped?: GenericSchema;
  readonly item?: GenericSchema;
}

/** Returns the alternatives of a schema, or the schema itself if it has none. */
function listAlternatives(schema: GenericSchema): readonly Parts[] {
  const { wrapped, options } = schema as Parts;
  if (wrapped) return listAlternatives(wrapped);
  return options?.every((option) => typeof option === 'object')
    ? options.flatMap(listAlternatives)
    : [schema];
}

/** Returns true if the schema or one of its alternatives has a field of that name. */
const isField = (schema: GenericSchema, name: string) =>
  listAlternatives(schema).some(({ entries }) => Object.hasOwn(entries ?? {}, name));

/** Returns the schemas that may apply to the value at a path. */
function schemasAt(
  schema: GenericSchema,
  path: readonly { readonly key: unknown }[],
): readonly GenericSchema[] {
  const [step, ...rest] = path;
  if (!step) return [schema];
  return listAlternatives(schema)
    .map(({ entries, item }) => entries?.[String(step.key)] ?? item)
    .flatMap((inner) => (inner ? schemasAt(inner, rest) : []));
}

/**
 * Returns an error for each array where the schema expects an object. A schema with only optional fields would accept the array
 * and drop its content.
 */
function arraysForObjects(schema: GenericSchema, value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = listAlternatives(schema);
  if (Array.isArray(value)) {
    const { item } = parts.find(({ type }) => type === 'array') ?? {};
    if (item) return value.flatMap((each, index) => arraysForObjects(item, each, `${path}.${index}`));
    return parts.some(({ type }) => ['object', 'loose_object', 'strict_object', 'record'].includes(type))
      ? [`${path}: must be an object`]
      : [];
  }
  const fields = Object.assign({}, ...parts.map(({ entries }) => entries)) as NonNullable<Parts['entries']>;
  return Object.entries(fields).flatMap(([name, field]) =>
    arraysForObjects(
      field,
      (value as Readonly<Record<string, unknown>>)[name],
      path === '' ? name : `${path}.${name}`,
    ),
  );
}

/** Validates a value and returns the schema's output. Errors: `system_invalid_input` with one message per field. */
export function check<Schema extends GenericSchema>(schema: Schema, value: unknown): InferOutput<Schema> {
  const arrays = arraysForObjects(schema, value, '');
  if (arrays.length > 0) throw invalidFields(arrays);
  const parsed = safeParse(schema, value);
  if (!parsed.success) throw invalidFields(describeIssues(parsed.issues, schema));
  return parsed.output;
}

function bodyText(exchange: Exchange): string {
  const { body, isBase64Encoded } = exchange.event;
  if (body === undefined) return '';
  const bytes = isBase64Encoded ? Buffer.from(body, 'base64') : Buffer.from(body, 'utf8');
  if (bytes.length > BODY_MAX_BYTES) throw new ServiceError('body_too_large');
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidFields(['body: must be UTF-8']);
  }
}

function requireMediaType(exchange: Exchange, expected: string): void {
  const given = exchange.request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (given !== expected)
    throw new ServiceError('unsupported_media_type', { message: `Content-Type must be ${expected}` });
}

/** Returns true if a form field may occur several times, as check boxes do. Its values are then joined with spaces. */
const repeats = (schema: GenericSchema, name: string) =>
  listAlternatives(schema).some(({ entries }) => {
    const field = entries?.[name];
    return field !== undefined && getMetadata(field).repeats === true;
  });

/** Reads form or query parameters. Rejects repeated parameters (RFC 6749 §3.1). Error messages do not contain unknown names. */
function readPairs(text: string, schema: GenericSchema): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in pairs && repeats(schema, name)) {
      pairs[name] += ` ${value}`;
      continue;
    }
    if (name in pairs) {
      throw invalidFields([
        `${isField(schema, name) ? name : 'a parameter'}: must not be given more than once`,
      ]);
    }
    pairs[name] = value;
  }
  return { ...pairs };
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Rejects lone surrogates. They have no UTF-8 form, so two different strings would be stored as the same value. */
function refuseLoneSurrogates(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw new SyntaxError('lone surrogate');
  return value;
}

/** Reads a JSON object and rejects any other JSON value. Errors: `system_invalid_input`. */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text, SURROGATE_ESCAPE.test(text) ? refuseLoneSurrogates : undefined);
  } catch {
    throw invalidFields(['body: must be JSON']);
  }
  // A schema with only optional fields would accept an array as an empty object.
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFields(['body: must be a JSON object']);
  return value;
}

/** Validates the parts of a request with the schemas of the operation row. Unknown fields are ignored. */
export function parse(row: Operation, exchange: Exchange): void {
  const { json, form, query, path } = row.input;
  if (path) exchange.path = check(path, exchange.pathParameters);
  // With several methods, the same parameters are in the query of a GET request or in the form of a POST request.
  const either = form !== undefined && listNamedMethods(row).length > 1;
  const isPost = exchange.request.method === 'POST';
  if (query && !(either && isPost))
    exchange.query = check(query, readPairs(exchange.event.rawQueryString, query));
  if ((!json && !form) || (either && !isPost)) return;
  const text = bodyText(exchange);
  // An empty body needs no content type (RFC 9110 §8.3). The error then names the missing field.
  if (text !== '')
    requireMediaType(exchange, json ? 'application/json' : 'application/x-www-form-urlencoded');
  if (json) exchange.json = check(json, readJson(text));
  if (form) exchange.form = check(form, readPairs(text, form));
}
