import type { JsonSchema } from '@valibot/to-json-schema';
import { COMPONENTS, type OwnSchema } from './json-schemas.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Returns the example of a schema, or builds one from the examples of its parts. The example of an object contains the fields
 * that its metadata `sample` lists, because some fields exclude each other. Without `sample`, it contains all fields that are
 * not deprecated. Returns undefined if a part has no example.
 */
export function createExample(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  const [option] = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const part = resolveReference(schema, schemas) ?? option ?? schema.items;
  if (typeof part === 'object' && !Array.isArray(part)) {
    const example = createExample(part, schemas);
    return schema.items && example !== undefined ? [example] : example;
  }
  return schema.properties && objectExample(schema, schemas);
}

function resolveReference({ $ref }: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  return $ref === undefined ? undefined : schemas[$ref.slice(COMPONENTS.length)];
}

function objectExample({ properties = {}, sample }: OwnSchema, schemas: Schemas): unknown {
  const names =
    sample ?? Object.keys(properties).filter((name) => !(properties[name] as OwnSchema).deprecated);
  const fields = names.map(
    (name) => [name, createExample((properties[name] ?? {}) as OwnSchema, schemas)] as const,
  );
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

/** Removes our own keywords `sample`, `repeats` and `unguarded`. Properties with these names stay: their values are objects. */
export function removeOwnKeywords(schemas: Schemas): Schemas {
  const isOurs = (key: string, value: unknown) =>
    (key === 'sample' && Array.isArray(value)) ||
    (key === 'repeats' && value === true) ||
    (key === 'unguarded' && typeof value === 'string');
  return JSON.parse(JSON.stringify(schemas, (key, value) => (isOurs(key, value) ? undefined : value)));
}
