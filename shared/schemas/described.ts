import * as v from 'valibot';

interface Words {
  readonly description: string;
  readonly examples?: readonly unknown[];
}

/**
 * What the API document says of a schema: unit, default, limit and format in a sentence or two, and an example as JSON.
 * Objects need none: theirs is made of their fields'. Bundles hold neither (lib/build/bundle.ts).
 */
export function doc(description: string, example?: unknown): Words {
  return example === undefined ? { description } : { description, examples: [example] };
}

/** The same schema with words; it checks as before. Around `v.optional` or inside, both do. */
export function described<Schema extends v.GenericSchema>(schema: Schema, words: Words): Schema {
  return v.pipe(schema, v.metadata({ ...words })) as unknown as Schema;
}
