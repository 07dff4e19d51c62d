/** Variant of `T` whose optional fields may be undefined. */
export type WithUndefined<T> = {
  readonly [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K];
};

/** Copies an object without its undefined fields. Stores and schemas distinguish undefined from absent fields. */
export function omitUndefined<T extends object>(fields: WithUndefined<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Variant of `T` that requires every key. Optional fields may be undefined. */
type WithEveryKey<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Builds a record from all of its fields and drops undefined fields. If a field is forgotten, the code does not compile. */
export const withAllFields: <T extends object>(fields: WithEveryKey<T>) => T = omitUndefined;
