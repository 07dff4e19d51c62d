declare const names: unique symbol;

/** Text with placeholders such as `{name}`. Not a string type, so that it cannot be shown on a page before it is filled in. */
export interface Text<Name extends string> {
  readonly [names]: Name;
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Converts a tree of literal texts: a text with placeholders becomes a `Text` with their names, and any other a string. */
export type Texts<T> = T extends string
  ? [NamesIn<T>] extends [never]
    ? string
    : Text<NamesIn<T>>
  : { readonly [Key in keyof T]: Texts<T[Key]> };

/**
 * Fills in the placeholders of a text in one pass, so that braces in a value, such as an application's name, are left alone.
 * Escapes nothing.
 */
export function fill<Name extends string>(
  text: Text<Name>,
  values: Readonly<Record<NoInfer<Name>, string>>,
): string {
  return (text as unknown as string).replace(/\{(\w+)\}/g, (_, name: Name) => values[name]);
}

type NamesOf<T> = { [Key in keyof T]: T[Key] extends Text<infer Name> ? Name : never }[keyof T];

/** Fills in the placeholders of all texts of a group. */
export const fillAll = <T extends object>(
  texts: T,
  values: Readonly<Record<NoInfer<NamesOf<T>>, string>>,
): { readonly [Key in keyof T]: string } =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, values)])) as never;
