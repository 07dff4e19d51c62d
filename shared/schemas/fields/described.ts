import * as v from 'valibot';

interface Words {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly sample?: readonly string[];
}

/**
 * What the API document says of a schema: unit, default, limit and format in a sentence or two, and an example as JSON.
 * Objects need none: theirs is made of their fields'. Bundles hold no words (lib/build/bundle.ts).
 */
export function doc(description: string, example?: unknown): Words {
  return example === undefined ? { description } : { description, examples: [example] };
}

/** The fields of an object that its example shows: those that go together. Without it: all that are not deprecated. */
export function sample(...fields: readonly string[]): Words {
  return { sample: fields };
}

/** Adds words for the API document to a schema, which checks as before. Around `v.optional` or inside, both do. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly Words[]
): Schema {
  return v.pipe(schema, v.metadata(Object.assign({}, ...words))) as unknown as Schema;
}

/** The description of a schema, for the command line too. */
export const descriptionOf = (schema: v.GenericSchema): string => String(v.getMetadata(schema).description);
