declare const names: unique symbol;

/**
 * Text with placeholders such as `{name}`. It is not a string type, so that unfilled placeholders cannot be shown by mistake.
 */
export interface Text<Name extends string> {
  readonly [names]: Name;
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * Type of a tree of texts: a text with placeholders becomes a `Text` with the placeholders' names, and any other text a string.
 */
export type Texts<T> = T extends string
  ? [NamesIn<T>] extends [never]
    ? string
    : Text<NamesIn<T>>
  : { readonly [Key in keyof T]: Texts<T[Key]> };

/**
 * Fills in the placeholders of a text in one pass. Braces in a value, such as an application's name, therefore stay unchanged.
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
