import {
  type ComputedFields,
  type CreateInput,
  type Field,
  type Fields,
  isSetBy,
  type RecordView,
  type StoredRecord,
  toSnakeCase,
  type UpdateInput,
  type Value,
} from './field.ts';

type Values = Readonly<Record<string, unknown>>;
type Reader = (given: unknown) => unknown;
/** Functions that convert a value from a request to its stored value, by the key of the field. */
type Readers<T> = {
  readonly [K in keyof T]?: (given: Value<T[K], 'given'>) => Value<T[K], 'stored'>;
};

/** Converts a record to the form in which operators see it in responses. */
export function toRecordView<T extends Fields>(
  fields: T,
  record: StoredRecord<T> & ComputedFields<T>,
): RecordView<T> {
  const seen = Object.entries(fields)
    .filter(([, { access }]) => access !== 'none')
    .map(([key, field]) => [
      field.wire ?? toSnakeCase(key),
      shownValue(field, (record as Values)[key] ?? field.default),
    ])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(seen);
}

export function shownValue(field: Field, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (field.kind === 'date') return new Date((value as number) * 1000).toISOString();
  if (field.kind === 'record') return toRecordView(field.of, value as never);
  if (field.kind === 'records')
    return (value as readonly never[]).map((each) => toRecordView(field.of, each));
  return value;
}

/**
 * Returns a record with the given changes. Omitted fields stay unchanged. A value of null removes a field or restores its
 * default. Nested records change in the same way. Values that are not in the field table stay unchanged.
 */
export const applyChanges = <T extends Fields, Whole extends StoredRecord<T>>(
  fields: T,
  current: Whole,
  given: UpdateInput<T>,
  readers: Readers<T> = {},
): Whole => buildRecord('update', fields, { current, given, readers }) as Whole;

/** Returns a new record with the values in `own`, the given fields, and defaults for all other fields. */
export const createRecord = <T extends Fields>(
  fields: T,
  own: { readonly [K in keyof StoredRecord<T>]?: StoredRecord<T>[K] | undefined },
  given: CreateInput<T>,
  readers: Readers<T> = {},
): StoredRecord<T> => buildRecord('create', fields, { current: own, given, readers });

function buildRecord<T extends Fields>(
  setter: 'create' | 'update',
  fields: T,
  change: { readonly current: object; readonly given: object; readonly readers: object },
): StoredRecord<T> {
  const [current, given] = [change.current as Values, change.given as Values];
  const readers = change.readers as Readonly<Record<string, Reader>>;
  const others = Object.entries(current).filter(([key]) => !Object.hasOwn(fields, key));
  const next = Object.entries(fields)
    .map(([key, field]) => {
      const former = current[key];
      const value = isSetBy(setter, field) ? given[field.wire ?? toSnakeCase(key)] : undefined;
      const read = readers[key] ?? defaultReader(field, former);
      const kept = value === undefined ? former : value === null ? readNull(field) : read(value);
      return [key, kept ?? (field.always && field.default)];
    })
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries([...others, ...next]);
}

const readNull = (field: Field) => (field.kind === 'flag' ? field.null : undefined);

function defaultReader(field: Field, former: unknown): Reader {
  if (field.kind === 'record')
    return (given) => applyChanges(field.of, (former ?? {}) as never, given as never);
  if (field.kind === 'records')
    return (given) => (given as readonly never[]).map((each) => createRecord(field.of, {}, each));
  return (given) => given;
}
