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
 * Masking of a field in answers. Viewers and developers see only the beginning of an `address`, and nothing of `left out`
 * fields, which are personal or describe a device. All roles below admin see only the origin of a `called` URL, because its
 * path may be the receiver's secret.
 */
export type Masked = 'address' | 'left out' | 'called';

/**
 * Returns the documentation of a schema for the API document: unit, default, limit and format in a sentence or two, and an
 * example as JSON. Objects need no example; it is made from their fields. Bundles do not contain these texts
 * (lib/build/bundle.ts).
 */
export function describe(description: string, example?: unknown): Words {
  return example === undefined ? { description } : { description, examples: [example] };
}

/** Selects the fields that the example of an object shows. Default: all fields that are not deprecated. */
export function sample(...fields: readonly string[]): Words {
  return { sample: fields };
}

/** Marks a field of a request with the role that an operator needs to set it. */
export const operatorRole = (need: string): Words => ({ 'x-operator-role': need });

/** Marks a field of a request with the reason why operators may set it without guard. The API document omits it. */
export const unguarded = (reason: Unguarded): Words => ({ unguarded: reason });

/** Marks a field of an answer with how it is masked for operators below admin. */
export const masked = (how: Masked): Words => ({ 'x-operator-masked': how });

/** Adds documentation for the API document to a schema without changing its checks. Works inside and outside `v.optional`. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly Words[]
): Schema {
  return v.pipe(schema, v.metadata(Object.assign({}, ...words))) as unknown as Schema;
}

/** Returns the description of a schema, for the command line too. */
export const readDescription = (schema: v.GenericSchema): string => String(v.getMetadata(schema).description);

/** Returns the examples of a schema, for the command line too. */
export const readExamples = (schema: v.GenericSchema): readonly unknown[] =>
  (v.getMetadata(schema).examples as readonly unknown[] | undefined) ?? [];
