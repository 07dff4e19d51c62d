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
 * the whole URL, because its path may be the receiver's secret. Others see its origin.
 */
export type Masked = 'address' | 'left out' | 'called';

/**
 * Returns metadata that documents a schema in the API document: a description with unit, default, limit and format in one or
 * two sentences, and an example as JSON. Objects need no example, because it is built from their fields. Bundles do not contain
 * this metadata (lib/build/bundle.ts).
 */
export function describe(description: string, example?: unknown): Words {
  return example === undefined ? { description } : { description, examples: [example] };
}

/**
 * Returns metadata with the names of the fields in an object's example. By default, the example has all fields except
 * deprecated ones.
 */
export function sample(...fields: readonly string[]): Words {
  return { sample: fields };
}

/** Returns metadata with the role that an operator needs to set a request field. */
export const operatorRole = (need: string): Words => ({ 'x-operator-role': need });

/** Returns metadata with the reason why a request field is not `guarded` for operators. The API document omits it. */
export const unguarded = (reason: Unguarded): Words => ({ unguarded: reason });

/** Returns metadata that says how a response field is masked for operators without the role admin. */
export const masked = (how: Masked): Words => ({ 'x-operator-masked': how });

/** Adds documentation to a schema without changing its checks. Works inside and outside `v.optional`. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  ...words: readonly Words[]
): Schema {
  return v.pipe(schema, v.metadata(Object.assign({}, ...words))) as unknown as Schema;
}

/** Returns the description of a schema, for the API document and the command line. */
export const readDescription = (schema: v.GenericSchema): string => String(v.getMetadata(schema).description);

/** Returns the examples of a schema, for the API document and the command line. */
export const readExamples = (schema: v.GenericSchema): readonly unknown[] =>
  (v.getMetadata(schema).examples as readonly unknown[] | undefined) ?? [];
