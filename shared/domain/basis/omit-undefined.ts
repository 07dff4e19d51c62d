/** Allows undefined for optional fields only. */
export type Given<T> = { readonly [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** A copy without undefined fields: stores and schemas distinguish them from absent ones. */
export function omitUndefined<T extends object>(fields: Given<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Each field has to be given, an optional one perhaps as undefined. */
type Every<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** Drops undefined fields of a record given as a whole: a forgotten field does not compile. */
export const allFields: <T extends object>(fields: Every<T>) => T = omitUndefined;
