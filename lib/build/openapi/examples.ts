import type { JsonSchema } from '@valibot/to-json-schema';
import { COMPONENTS, type OwnSchema } from './json-schemas.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * An example of a schema: its own, or one made of those of its parts, so that none is written twice. An object shows the
 * fields that its metadata `sample` lists (those that go together), or all that are not deprecated.
 * Undefined where a part has none.
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  const [option] = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const part = referredBy(schema, schemas) ?? option ?? schema.items;
  if (typeof part === 'object' && !Array.isArray(part)) {
    const example = exampleOf(part, schemas);
    return schema.items && example !== undefined ? [example] : example;
  }
  return schema.properties && fieldsOf(schema, schemas);
}

function referredBy({ $ref }: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  return $ref === undefined ? undefined : schemas[$ref.slice(COMPONENTS.length)];
}

function fieldsOf({ properties = {}, sample }: OwnSchema, schemas: Schemas): unknown {
  const names =
    sample ?? Object.keys(properties).filter((name) => !(properties[name] as OwnSchema).deprecated);
  const fields = names.map(
    (name) => [name, exampleOf((properties[name] ?? {}) as OwnSchema, schemas)] as const,
  );
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

/** Removes our own keywords `sample`, `repeats` and `unguarded`. A property of such a name is an object. */
export function withoutSamples(schemas: Schemas): Schemas {
  const isOurs = (key: string, value: unknown) =>
    (key === 'sample' && Array.isArray(value)) ||
    (key === 'repeats' && value === true) ||
    (key === 'unguarded' && typeof value === 'string');
  return JSON.parse(JSON.stringify(schemas, (key, value) => (isOurs(key, value) ? undefined : value)));
}
