import {
  type Fields,
  type Field as RecordField,
  type StoredRecord,
  toSnakeCase,
  type Value,
} from '../records/field.ts';
import { readTexts } from './attributes.ts';
import {
  attribute,
  type Codec,
  codec,
  type Field,
  flag,
  json,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  texts,
} from './codec.ts';

const simple = {
  flag,
  number,
  text,
  texts,
  date: number,
  numbers: (name: string) =>
    attribute(
      name,
      (item) => readTexts(item, name).map(Number),
      (values) => values.map(String),
    ),
  json: (name: string) => json(name, (value) => value),
};

function toCodecField(name: string, field: RecordField) {
  if (field.kind === 'choice') return oneOf(name, field.of);
  if (field.kind === 'record') return map(name, createCodec(field.of));
  if (field.kind === 'records') return maps(name, createCodec(field.of));
  return simple[field.kind](name);
}

type Own<T> = { readonly [K in keyof T]?: Field<Value<T[K], 'stored'>> };

/** Returns the codecs of a record's fields. `own` contains the codecs of fields with a special storage format. */
export const storedFields = <T extends Fields>(fields: T, own: Own<T> = {}) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { access }]) => access !== 'answer')
      .map(([key, field]) => {
        const stored = (own[key] ?? toCodecField(field.stored ?? toSnakeCase(key), field)) as Field<unknown>;
        return [key, field.always ? stored : optional(stored)];
      }),
  ) as { readonly [K in keyof StoredRecord<T>]-?: Field<StoredRecord<T>[K]> };

/** Creates the codec of a record from its field table. */
export const createCodec = <T extends Fields>(fields: T, own?: Own<T>): Codec<StoredRecord<T>> =>
  codec<StoredRecord<T>>(storedFields(fields, own));
