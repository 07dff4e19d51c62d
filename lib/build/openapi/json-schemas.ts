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

/** JSON Schema with keywords that the library's type lacks. The keyword `sample` is our own: see examples.ts. */
export type OwnSchema = JsonSchema & { readonly deprecated?: boolean; readonly sample?: readonly string[] };

export const COMPONENTS = '#/components/schemas/';

const strict: Omit<ConversionConfig, 'definitions'> = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // This action changes the value after the validation, so it does not restrict what callers may send.
  ignoreActions: ['to_lower_case'],
  // States that a loose object may have members that the document does not name. Other schemas are converted as usual.
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: {} } : undefined,
  overrideRef: ({ referenceId }: { readonly referenceId: string }) => `${COMPONENTS}${referenceId}`,
};

function listBodies({ input, output }: Operation): readonly (readonly [GenericSchema | undefined, string])[] {
  return [
    [input.json, 'Request'],
    [input.form, 'Request'],
    ['json' in output ? output.json : undefined, 'Response'],
  ];
}

/** Returns the name of each body: its exported name, or a name made from the first operation that uses the body. */
export function namedBodies(
  table: Readonly<Record<string, Operation>>,
  names: SchemaNames,
): ReadonlyMap<GenericSchema, string> {
  const named = new Map<GenericSchema, string>();
  for (const [operation, row] of Object.entries(table))
    for (const [schema, kind] of listBodies(row)) {
      if (!schema || named.has(schema)) continue;
      const own = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}${kind}`;
      named.set(schema, names.get(schema)?.name ?? own);
    }
  if (new Set(named.values()).size < named.size) throw new Error('two schemas have the same name');
  return named;
}

const REFERENCE = new RegExp(`"\\$ref":"${COMPONENTS}([^"]+)"`, 'g');

/** Returns the given schema names and all names that they refer to, directly or indirectly. */
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
 * Converts the schemas of bodies, and the exported schemas that these use, to JSON Schema 2020-12 as in OpenAPI 3.1, in
 * alphabetical order.
 * @throws Error if a schema has no exact equivalent, because the document must promise exactly what the service checks.
 */
export function bodySchemas(
  named: ReadonlyMap<GenericSchema, string>,
  names: SchemaNames,
): Record<string, JsonSchema> {
  // Schemas of single fields have names in lower case. They are inlined where they are used.
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

/** Converts one schema to JSON Schema without references. */
export function convertSchema(schema: GenericSchema): JsonSchema {
  return toJsonSchema(schema, strict);
}

interface FieldDescription {
  readonly description?: string;
  readonly example?: unknown;
  readonly deprecated?: boolean;
}

interface Parameter extends FieldDescription {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

/** Converts the fields of a schema to OpenAPI parameters, and moves the description and example out of the field's schema. */
export function convertParameters(schema: GenericSchema): readonly Parameter[] {
  const { properties = {}, required = [] } = convertSchema(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, deprecated, ...own } = property as OwnSchema;
    return {
      name,
      required: required.includes(name),
      ...omitUndefined<FieldDescription>({ description, example: examples?.[0], deprecated }),
      schema: own,
    };
  });
}
