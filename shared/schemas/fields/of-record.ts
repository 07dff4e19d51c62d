import * as v from 'valibot';
import {
  type CreateInput,
  type Field,
  type Fields,
  isSetBy,
  type RecordView,
  toSnakeCase,
  type UpdateInput,
  type Value,
} from '../../records/field.ts';
import { type describe, described, masked, operatorRole, unguarded } from './described.ts';
import { date, dates, nullableField, optionalField } from './record.ts';

type Words = ReturnType<typeof describe>;
/** Object schema of a request body, whose fields the command line reads. */
type Body<Output> = v.GenericSchema<unknown, Output> & {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
};
interface Sides<Given, Shown> {
  readonly create: v.GenericSchema<unknown, Given>;
  readonly record: v.GenericSchema<unknown, Shown>;
}

/**
 * Schemas and texts of a field. Texts are sufficient if the field's type already determines the valid values. Other fields also
 * need a schema that limits their values in requests, and nested records need schemas of their own.
 */
type Entry<F> = F extends { kind: 'record' | 'records' | 'json' }
  ? readonly [Sides<Value<F, 'given'>, Value<F, 'shown'>>, Words]
  : F extends { access: 'read' | 'answer' } | { kind: 'flag' | 'choice' }
    ? Words
    : readonly [v.GenericSchema<Value<F, 'given'>>, Words];
type Entries<T> = {
  readonly [K in keyof T as T[K] extends { access: 'none' }
    ? never
    : Exclude<K, 'createdAt' | 'updatedAt'>]: Entry<T[K]>;
};
type AnyEntry = Words | readonly [v.GenericSchema | Sides<unknown, unknown>, Words] | undefined;

const simple = {
  flag: v.boolean(),
  number: v.number(),
  text: v.string(),
  texts: v.array(v.string()),
  numbers: v.array(v.number()),
  date,
};
const toSides = (schema: v.GenericSchema, record = schema): Sides<unknown, unknown> => ({
  create: schema,
  record,
});

function read(name: string, field: Field, entry: AnyEntry): readonly [Sides<unknown, unknown>, ...Words[]] {
  if (name in dates) return [toSides(dates[name as keyof typeof dates])];
  if (field.kind === 'choice') return [toSides(v.picklist(field.of)), entry as Words];
  if (!Array.isArray(entry)) return [toSides(simple[field.kind as keyof typeof simple]), entry as Words];
  const [bounds, words] = entry;
  return ['create' in bounds ? bounds : toSides(bounds, simple[field.kind as keyof typeof simple]), words];
}

/**
 * Creates the schemas of a record from its field table: for requests that create and change the record, and for responses. In a
 * change, null removes a field. With `whole`, a nested record cannot be changed field by field, but only replaced as a whole.
 */
export function createSchemas<T extends Fields>(fields: T, entries: Entries<T>, whole?: 'whole') {
  const create: Record<string, v.GenericSchema> = {};
  const update: Record<string, v.GenericSchema> = {};
  const record: Record<string, v.GenericSchema> = {};
  const others = Object.values<Field>(fields).some(({ operators }) => operators === 'developer')
    ? 'admin'
    : undefined;
  for (const [key, each] of Object.entries<Field>(fields)) {
    if (each.access === 'none') continue;
    const name = each.wire ?? toSnakeCase(key);
    const entry = (entries as Readonly<Record<string, AnyEntry>>)[key];
    const [sides, words = {}] = read(name, each, entry);
    const need = each.operators ?? others;
    const asked = [
      words,
      ...(need ? [operatorRole(need)] : []),
      ...(each.unguarded ? [unguarded(each.unguarded)] : []),
    ];
    const isSure = each.always || each.default !== undefined;
    record[name] = (isSure ? described : optionalField)(
      sides.record,
      each.called ? { ...words, ...masked('called') } : words,
    );
    const isNeeded = each.always && each.default === undefined;
    const given = (isNeeded || whole || each.access === 'create' ? optionalField : nullableField)(
      sides.create,
      ...asked,
    );
    if (isSetBy('create', each)) create[name] = isNeeded ? described(sides.create, ...asked) : given;
    if (isSetBy('update', each)) update[name] = given;
  }
  return {
    create: v.object(create) as unknown as Body<CreateInput<T>>,
    update: v.object(update) as unknown as Body<UpdateInput<T>>,
    record: v.object(record) as unknown as Body<RecordView<T>>,
  };
}

/** Adds fields to a request body that are not in the record's field table. */
export const withFields = <Output, const Own extends v.ObjectEntries>(body: Body<Output>, own: Own) =>
  v.object({ ...body.entries, ...own }) as unknown as Body<
    Output & v.InferOutput<v.ObjectSchema<Own, undefined>>
  >;
