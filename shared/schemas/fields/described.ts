import * as v from 'valibot';
import type { Unguarded } from '../../records/guard.ts';

interface Words {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly sample?: readonly string[];
  readonly 'x-operator-role'?: string;
  readonly unguarded?: Unguarded;
  readonly 'x-operator-masked'?: Masked;
}

/**
 * How an answer masks a field. For viewers and developers an `address` shows its beginning, and what is personal or tells a
 * device is `left out`. For all below admin a `called` URL ends at its origin: its path may be the secret of the receiver.
 */
export type Masked = 'address' | 'left out' | 'called';

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

/** What it takes of an operator to give a field of a request. */
export const operatorRole = (need: string): Words => ({ 'x-operator-role': need });

/** Why an operator gives a field of a request without guard. The API document does not say it. */
export const unguarded = (reason: Unguarded): Words => ({ unguarded: reason });

/** How operators below admin see a field of an answer. */
export const masked = (how: Masked): Words => ({ 'x-operator-masked': how });

/** Adds words for the API document to a schema, which checks as before. Around `v.optional` or inside, both do. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly Words[]
): Schema {
  return v.pipe(schema, v.metadata(Object.assign({}, ...words))) as unknown as Schema;
}

/** The description of a schema, for the command line too. */
export const descriptionOf = (schema: v.GenericSchema): string => String(v.getMetadata(schema).description);

/** The examples of a schema, for the command line too. */
export const examplesOf = (schema: v.GenericSchema): readonly unknown[] =>
  (v.getMetadata(schema).examples as readonly unknown[] | undefined) ?? [];
