import { listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { ApiRequest } from '../engine/api.ts';
import type { CommandInput } from '../engine/command.ts';
import { type Body, toFlag } from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';

/** Returns the names of an operation's path parameters. */
export const listPathParameters = (row: Operation): readonly string[] =>
  [...(listPaths(row)[0] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export const listQueryParameters = ({ input }: Operation): readonly string[] =>
  Object.keys((input.query as Body | undefined)?.entries ?? {});

/**
 * Builds the HTTP request of an operation from the arguments of a command.
 * @param argument Name of the request field that the positional argument fills.
 * @throws `UsageError` if a path parameter is missing.
 */
export function buildRequest(row: Operation, argument: string | undefined, given: CommandInput): ApiRequest {
  const { id, option } = given;
  const valueFor = (name: string) => (name === argument ? id : option(toFlag(name))) || undefined;
  const path = (listPaths(row)[0] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueFor(name);
    // A path parameter that is a dot segment would call another operation (RFC 3986 §5.2.4).
    if (value === undefined || /^\.{1,2}$/.test(value))
      throw new UsageError(`Name the record: ${name === argument ? '<id>' : `--${toFlag(name)}`}.`);
    return encodeURIComponent(value);
  });
  const query = listQueryParameters(row).flatMap((name) => {
    const value = valueFor(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  const [method = 'GET'] = listNamedMethods(row);
  const isInBody =
    argument !== undefined && argument in ((row.input.json as Body | undefined)?.entries ?? {});
  return {
    method,
    path: query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
    ...(row.input.json && { json: { ...(given.body as object), ...(isInBody && { [argument]: id }) } }),
  };
}
