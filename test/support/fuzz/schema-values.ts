import fc from 'fast-check';

// Generates values that are valid according to a schema of the OpenAPI document, and values that violate the schema.

export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Placeholder for a value that is known only when the call is made, such as a record's ID. */
export class Mark {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export interface Vocabulary {
  readonly resolve: (node: SchemaNode) => SchemaNode;
  /** Valid values that refer to records, by field name. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
}

/** Texts of which at least one matches each pattern and format of the document. */
const TEXTS = [
  'a',
  '1',
  'Shop',
  'en',
  '#0a0',
  '#00aa00',
  '{app} {otp}',
  'https://example.com/a',
  'http://localhost:8080/complete',
  'users:read',
  '[appId]:edit',
  'login.*',
  '2026-11-01T10:00:00.000Z',
  'ann@example.com',
  'com.example',
  'ABCDE12345',
  Array(32).fill('A1').join(':'),
  '+12015550123',
  '192.0.2.1',
  'organizations',
  'google',
  'x'.repeat(43),
];

const LONGEST_OF_MANY = 40;
const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);

function texts({ pattern, format, minLength = 0, maxLength = 2000 }: SchemaNode): fc.Arbitrary<unknown> {
  if (pattern !== undefined || format !== undefined) {
    const fitting = TEXTS.filter((text) => new RegExp(pattern ?? '', 'u').test(text));
    return fc.constantFrom(...fitting);
  }
  const some = fc.string({
    unit: character,
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, LONGEST_OF_MANY)),
  });
  return fc.oneof(
    { weight: 20, arbitrary: some },
    { weight: 1, arbitrary: fc.constantFrom('x', '🙂').map((one) => one.repeat(maxLength)) },
  );
}

function numbers(node: SchemaNode, isInteger: boolean): fc.Arbitrary<unknown> {
  const { minimum = node.exclusiveMinimum ?? 0, maximum = 1e9 } = node;
  const edges = fc.constantFrom(minimum, maximum, minimum + 1);
  const between = isInteger
    ? fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) })
    : fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true });
  return fc.oneof({ weight: 4, arbitrary: between }, { weight: 1, arbitrary: edges });
}

const anything = fc.oneof(fc.constantFrom<unknown>('a', 1, true, {}, ['a']), fc.jsonValue({ maxDepth: 2 }));

/**
 * Optional form fields that are always generated. Without these client credentials, a request is rejected before its other
 * fields are checked.
 */
const ALWAYS = ['client_id', 'client_secret'];

function objects(node: SchemaNode, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, propertyNames, maxProperties = 4, required = [] } = node;
  if (properties) {
    const fields = Object.entries(properties).map(([name, property]) => [
      name,
      generateValues(property, vocabulary, name),
    ]);
    const all = fc.record(Object.fromEntries(fields)) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
    const kept = [...required, ...ALWAYS];
    const optional = Object.keys(properties).filter((name) => !kept.includes(name));
    // Mostly few optional fields, because an error about one field usually hides the errors about others.
    const chosen = fc.oneof(
      fc.subarray(optional, { maxLength: Math.min(3, optional.length) }),
      fc.subarray(optional),
    );
    const declared = fc
      .tuple(all, chosen)
      .map(([values, names]) =>
        Object.fromEntries(
          Object.entries(values).filter(([name]) => kept.includes(name) || names.includes(name)),
        ),
      );
    // A tenth of the inputs has an unknown field, which the service must ignore.
    return fc.oneof(
      { weight: 9, arbitrary: declared },
      { weight: 1, arbitrary: declared.map((some) => ({ ...some, x_unknown: [1] })) },
    );
  }
  const key = propertyNames?.pattern ? fc.stringMatching(/^[\w.-]+$/) : fc.string();
  const each =
    typeof additionalProperties === 'object' ? generateValues(additionalProperties, vocabulary) : anything;
  const keys = key.filter((name) => name.length <= LONGEST_OF_MANY);
  return fc.dictionary(keys, each, { maxKeys: maxProperties, noNullPrototype: true });
}

function ofType(type: string | undefined, node: SchemaNode, vocabulary: Vocabulary): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numbers(node, type === 'integer');
    case 'string':
      return texts(node);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = node;
      const some = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
      return fc.array(generateValues(items, vocabulary), some);
    }
    case 'object':
      return objects(node, vocabulary);
    default:
      return anything;
  }
}

/** Generates values that the schema usually accepts. The caller validates each value against the document. */
export function generateValues(given: SchemaNode, vocabulary: Vocabulary, name = ''): fc.Arbitrary<unknown> {
  const node = vocabulary.resolve(given);
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  const alternatives = node.oneOf ?? node.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((each) => generateValues(each, vocabulary, name)));
  const types = [node.type].flat();
  const plain = fc.oneof(...types.map((type) => ofType(type, node, vocabulary)));
  const jsonType = (value: unknown) => (value instanceof Mark ? 'string' : typeof value);
  const known = (vocabulary.known[name] ?? []).filter((value) => types.includes(jsonType(value)));
  if (known.length === 0) return plain;
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: plain });
}

type Steps = readonly (string | number)[];

/** Returns the paths (keys and indexes) to all values inside a value, at any depth. */
function placesIn(value: unknown, steps: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null || value instanceof Mark) return [];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([step, each]) => [[...steps, step], ...placesIn(each, [...steps, step])]);
}

const LEFT_OUT = Symbol('left out');

function replaced(value: unknown, [step, ...rest]: Steps, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((each, index) => (index === step ? replaced(each, rest, by) : each));
  const entries = Object.entries(value as object).map(([name, each]) => [
    name,
    name === step ? replaced(each, rest, by) : each,
  ]);
  return Object.fromEntries(entries.filter(([, each]) => each !== LEFT_OUT));
}

const BENT: readonly unknown[] = [
  LEFT_OUT,
  LEFT_OUT,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'maybe',
  'true',
  '\u0000',
  'x'.repeat(7000),
  'x'.repeat(65_000),
  [],
  [null],
  ['a'],
  new Array(300).fill('a'),
  {},
  { a: 1 },
  { id_token: [] },
];

/** Generates values in which one part was changed. The schema may still accept the changed value. */
export function bentFrom(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.nat(), fc.constantFrom(...BENT)).map(([value, at, by]) => {
    const places = placesIn(value);
    const place = places[at % Math.max(1, places.length)];
    return place
      ? replaced(value, place, by === LEFT_OUT && typeof place.at(-1) === 'number' ? null : by)
      : value;
  });
}

/** Replaces the placeholders in a value. */
export async function filled(value: unknown, find: (name: string) => Promise<unknown>): Promise<unknown> {
  if (value instanceof Mark) return find(value.name);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => filled(each, find)));
  const entries: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) entries.push([name, await filled(each, find)]);
  return Object.fromEntries(entries);
}
