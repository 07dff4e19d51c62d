import * as v from 'valibot';
import type { Unguarded } from '../../records/guard.ts';

export interface Words {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly sample?: readonly string[];
  readonly 'x-operator-role'?: string;
  readonly unguarded?: Unguarded;
  readonly 'x-operator-masked'?: Masked;
}

/**
 * Masking of a response field for operators without the role admin. `address`: viewers and developers see only its beginning.
 * `left out`: viewers and developers do not see the field, which is personal or describes a device. `called`: only admins see
 * more than the URL's origin, because its path may be the receiver's secret.
 */
export type Masked = 'address' | 'left out' | 'called';

/**
 * Returns the documentation of a schema for the API document: a description with unit, default, limit and format in one or two
 * sentences, and an example as JSON. Objects need no example, because one is made from their fields. Bundles do not contain
 * these texts (lib/build/bundle.ts).
 */
export function describe(description: string, example?: unknown): Words {
  return example === undefined ? { description } : { description, examples: [example] };
}

/**
 * Returns metadata that names the fields in the example of an object. By default, the example has all fields that are not
 * deprecated.
 */
export function sample(...fields: readonly string[]): Words {
  return { sample: fields };
}

/** Returns metadata for a request field: the role that an operator needs to set the field. */
export const operatorRole = (need: string): Words => ({ 'x-operator-role': need });

/** Returns metadata for a request field: the reason why the field is not `guarded` for operators. The API document omits it. */
export const unguarded = (reason: Unguarded): Words => ({ unguarded: reason });

/** Returns metadata for a response field: how the field is masked for operators without the role admin. */
export const masked = (how: Masked): Words => ({ 'x-operator-masked': how });

/** Adds documentation for the API document to a schema without changing its checks. Works inside and outside `v.optional`. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly Words[]
): Schema {
  return v.pipe(schema, v.metadata(Object.assign({}, ...words))) as unknown as Schema;
}

/** Returns the description of a schema. The command line also uses it. */
export const readDescription = (schema: v.GenericSchema): string => String(v.getMetadata(schema).description);

/** Returns the examples of a schema. The command line also uses them. */
export const readExamples = (schema: v.GenericSchema): readonly unknown[] =>
  (v.getMetadata(schema).examples as readonly unknown[] | undefined) ?? [];
