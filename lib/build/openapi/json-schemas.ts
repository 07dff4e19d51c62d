import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import type { Operation } from '../../../shared/operation.ts';

export type SchemaNames = ReadonlyMap<GenericSchema, { readonly name: string }>;

/** With the keywords that the library's type lacks. `sample` is ours: examples.ts. */
export type OwnSchema = JsonSchema & { readonly deprecated?: boolean; readonly sample?: readonly string[] };

export const COMPONENTS = '#/components/schemas/';

const strict: Omit<ConversionConfig, 'definitions'> = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // It changes what was read, not what may be sent.
  ignoreActions: ['to_lower_case'],
  // Members that the document does not name are part of it; elsewhere an answer has none.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: {} } : undefined,
  overrideRef: ({ referenceId }: { readonly referenceId: string }) => `${COMPONENTS}${referenceId}`,
};

function bodiesOf({ input, output }: Operation): readonly (readonly [GenericSchema | undefined, string])[] {
  return [
    [input.json, 'Request'],
    [input.form, 'Request'],
    ['json' in output ? output.json : undefined, 'Response'],
  ];
}

/** The bodies of a table by name: the exported name, or that of the first operation with the body. */
export function namedBodies(
  table: Readonly<Record<string, Operation>>,
  names: SchemaNames,
): ReadonlyMap<GenericSchema, string> {
  const named = new Map<GenericSchema, string>();
  for (const [operation, row] of Object.entries(table))
    for (const [schema, kind] of bodiesOf(row)) {
      if (!schema || named.has(schema)) continue;
      const own = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}${kind}`;
      named.set(schema, names.get(schema)?.name ?? own);
    }
  if (new Set(named.values()).size < named.size) throw new Error('two schemas have the same name');
  return named;
}

const REFERENCE = new RegExp(`"\\$ref":"${COMPONENTS}([^"]+)"`, 'g');

/** The names that are reached from others by references, and those. */
function reachable(
  schemas: Readonly<Record<string, JsonSchema>>,
  from: Iterable<string>,
): ReadonlySet<string> {
  const found = new Set(from);
  for (const name of found)
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(REFERENCE)) found.add(other);
  return found;
}

/**
 * Bodies and the exported schemas in them, as schemas of OpenAPI 3.1, which are JSON Schema 2020-12, in alphabetical order.
 * Throws for a schema that has no exact counterpart there: the document must not promise more or less than the service checks.
 */
export function bodySchemas(
  named: ReadonlyMap<GenericSchema, string>,
  names: SchemaNames,
): Record<string, JsonSchema> {
  // Single fields have names in lower case, and stand where they are used.
  const exported = [...names]
    .filter(([, { name }]) => /^[A-Z]/.test(name))
    .map(([schema, { name }]) => [name, schema] as const);
  const bodies = [...named].map(([schema, name]) => [name, schema] as const);
  const all = toJsonSchemaDefs(Object.fromEntries([...exported, ...bodies]), strict);
  const used = reachable(all, named.values());
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => used.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** A schema by itself, without references. */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  return toJsonSchema(schema, strict);
}

interface Said {
  readonly description?: string;
  readonly example?: unknown;
  readonly deprecated?: boolean;
}

interface Parameter extends Said {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

/** The fields of a schema for queries or paths, each by itself. What is said of a field stands beside its schema. */
export function parametersOf(schema: GenericSchema): readonly Parameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, deprecated, ...own } = property as OwnSchema;
    return {
      name,
      required: required.includes(name),
      ...omitUndefined<Said>({ description, example: examples?.[0], deprecated }),
      schema: own,
    };
  });
}
