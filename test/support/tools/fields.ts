import type { GenericSchema } from 'valibot';
import { convertSchema } from '../../../lib/build/openapi/json-schemas.ts';
import type { SchemaNode } from '../fuzz/schema-values.ts';

// Generates inputs from a schema, so that new fields are tested automatically.

type Fields = Readonly<Record<string, unknown>>;

/** Texts of which at least one matches each pattern of the schemas. */
const TEXTS = [
  ...['a', '1', '#000', 'en', 'https://example.com/a', '{otp} {app}', 'Shop', 'users:read'],
  ...['organizations', 'google', 'com.example', 'ABCDE12345', Array(32).fill('A1').join(':')],
];

/** Valid texts for fields that are checked not only by their schema. The redirect URI is that of the demo application. */
const NAMED: Readonly<Record<string, string>> = {
  email: 'ann@example.com',
  phone_number: '+12015550123',
  redirect_uri: 'http://localhost:8080/complete',
  uri: 'https://api.example.com/',
};

const isNull = ({ type }: SchemaNode) => type === 'null';

/** Removes the alternative `null` from the schema of a nullable field. */
function bare(node: SchemaNode): SchemaNode {
  return node.anyOf?.find((each) => !isNull(each)) ?? node;
}

function isNullable(node: SchemaNode): boolean {
  return [node.type].flat().includes('null') || (node.anyOf?.some(isNull) ?? false);
}

function typeOf(node: SchemaNode): string | undefined {
  return [bare(node).type].flat().find((type) => type !== 'null');
}

/** Returns the smallest value that a schema accepts. */
export function smallestValue(given: SchemaNode): unknown {
  const node = bare(given);
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  switch (typeOf(node)) {
    case 'object':
      return Object.fromEntries(
        (node.required ?? []).map((name) => [name, NAMED[name] ?? smallestValue(findProperty(node, name))]),
      );
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => smallestValue(node.items ?? {}));
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return node.minimum ?? 1;
    default:
      return textFor(node);
  }
}

function textFor({ pattern = '' }: SchemaNode): string {
  const text = TEXTS.find((candidate) => new RegExp(pattern).test(candidate));
  if (text === undefined) throw new Error(`no sample matches ${pattern}: add one to TEXTS`);
  return text;
}

function findProperty(node: SchemaNode, name: string): SchemaNode {
  const property = node.properties?.[name];
  if (!property) throw new Error(`${name} is required and not described`);
  return property;
}

/** Returns the alternative schemas of a request body, such as one per channel. Most bodies have only one. */
export function listAlternatives(schema: GenericSchema): readonly SchemaNode[] {
  const node = convertSchema(schema) as SchemaNode;
  return node.oneOf ?? [node];
}

export interface Field {
  /** Name of the field in error messages. */
  readonly name: string;
  readonly node: SchemaNode;
  readonly required: boolean;
  /** Returns the smallest valid input with this value of the field. The value undefined omits the field. */
  with(value: unknown): Fields;
}

/** Lists every field of an object, including those of nested objects. */
export function listFields(node: SchemaNode): readonly Field[] {
  const smallest = smallestValue(node) as Fields;
  return Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const field: Field = {
      name,
      node: property,
      required: node.required?.includes(name) ?? false,
      with: (value) => ({ ...smallest, [name]: value }),
    };
    const inner = typeOf(property) === 'object' ? listFields(bare(property)) : [];
    const nested = inner.map((each) => ({
      ...each,
      name: `${name}.${each.name}`,
      with: (value: unknown) => ({ ...smallest, [name]: each.with(value) }),
    }));
    return [field, ...nested];
  });
}

export const isText = ({ node }: Field): boolean => typeOf(bare(node)) === 'string';
export const isNumber = ({ node }: Field): boolean =>
  ['number', 'integer'].includes(typeOf(bare(node)) ?? '');

/**
 * Returns true if the schema limits the length of a text. A pattern limits the length unless it contains a repetition without
 * a maximum.
 */
export function isLimited({ node }: Field): boolean {
  const { maxLength, enum: values, const: only, pattern = '*', format } = bare(node);
  return [maxLength, values, only, format].some((limit) => limit !== undefined) || !/[*+]|,\}/.test(pattern);
}

export interface BadValue {
  readonly title: string;
  readonly value: unknown;
}

/** Character of two UTF-16 code units, which detects a limit that wrongly counts code units instead of characters. */
const WIDE = '🙂';

function badTexts(node: SchemaNode, character: string): readonly BadValue[] {
  const { maxLength, minLength, pattern } = node;
  const bad: BadValue[] = [];
  if (maxLength !== undefined) bad.push({ title: 'too long', value: character.repeat(maxLength + 1) });
  if (minLength !== undefined) bad.push({ title: 'empty', value: '' });
  if (pattern !== undefined) bad.push({ title: 'of the wrong form', value: '\u0000' });
  return bad;
}

/** Lists values that the field rejects although they have the right type. Long texts consist of `character`. */
export function badValues(field: Field, character = WIDE): readonly BadValue[] {
  const node = bare(field.node);
  const bad: BadValue[] = field.required ? [{ title: 'missing', value: undefined }] : [];
  if (typeOf(node) === 'string') bad.push(...badTexts(node, character));
  if (node.enum || node.const !== undefined) bad.push({ title: 'none of its values', value: 'none of them' });
  if (node.exclusiveMinimum !== undefined)
    bad.push({ title: 'not large enough', value: node.exclusiveMinimum });
  if (node.maxItems !== undefined) {
    const item = smallestValue(node.items ?? {});
    bad.push({ title: 'of too many entries', value: new Array(node.maxItems + 1).fill(item) });
  }
  return bad;
}

const OF_EACH_TYPE: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 5,
  boolean: true,
  object: {},
  array: [],
};

/** Lists values of every JSON type that the field does not accept. */
export function wrongTypes({ node }: Field): readonly BadValue[] {
  const own = typeOf(node) === 'integer' ? 'number' : (typeOf(node) ?? 'string');
  const others = Object.entries(OF_EACH_TYPE).filter(([type]) => type !== own);
  const values = others.map(([type, value]) => ({ title: `of type ${type}`, value }));
  return isNullable(node) ? values : [...values, { title: 'null', value: null }];
}

/** Returns the longest text that a field accepts. */
export function longestText({ node }: Field, character = WIDE): string | undefined {
  const { maxLength, pattern } = bare(node);
  return maxLength === undefined || pattern !== undefined ? undefined : character.repeat(maxLength);
}
