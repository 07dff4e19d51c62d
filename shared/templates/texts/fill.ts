declare const names: unique symbol;

/** A text with `{name}` in place of each value. No string: it must not get onto a page as it is. */
export interface Text<Name extends string> {
  readonly [names]: Name;
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a tree of literal texts is to those who show it. */
export type Texts<T> = T extends string
  ? [NamesIn<T>] extends [never]
    ? string
    : Text<NamesIn<T>>
  : { readonly [Key in keyof T]: Texts<T[Key]> };

/** In one pass: a value with braces, such as the name of an application, is not filled again. Escapes nothing. */
export function fill<Name extends string>(
  text: Text<Name>,
  values: Readonly<Record<NoInfer<Name>, string>>,
): string {
  return (text as unknown as string).replace(/\{(\w+)\}/g, (_, name: Name) => values[name]);
}

type NamesOf<T> = { [Key in keyof T]: T[Key] extends Text<infer Name> ? Name : never }[keyof T];

/** Fills in all texts of a group. */
export const fillAll = <T extends object>(
  texts: T,
  values: Readonly<Record<NoInfer<NamesOf<T>>, string>>,
): { readonly [Key in keyof T]: string } =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text, values)])) as never;
