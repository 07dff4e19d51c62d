import { methodsOf } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';

export interface Route {
  /** The operation's name in the table. */
  readonly name: string;
  readonly row: Operation;
  /** The path as the row writes it, such as `/v1/users/{id}`; `$default` for everything unknown. */
  readonly path: string;
}

export interface Match extends Route {
  /** Values of the path's parameters, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type Operations = Readonly<Record<string, Operation>>;

const PARAMETER = /^\{(\w+)\+?\}$/;

/** Matches a request as API Gateway does: a literal segment beats a parameter, left to right; `$default` takes the rest. */
export function createRouter(operations: Operations): (method: string, path: string) => Match | undefined {
  const routes = Object.entries(operations)
    .flatMap(([name, row]) =>
      [row.path]
        .flat()
        .map((path) => ({ name, row, path, segments: path.split('/'), methods: methodsOf(row) })),
    )
    .sort((a, b) => compareSegments(a.segments, b.segments));
  const fallback = routes.find((route) => route.path === '$default');

  return (method, path) => {
    const segments = path.split('/');
    for (const route of routes) {
      if (!route.methods.includes(method)) continue;
      const parameters = matchSegments(route.segments, segments);
      if (parameters !== undefined) return { ...route, parameters };
    }
    return fallback && { ...fallback, parameters: {} };
  };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]) {
  // The last parameter of `{path+}` takes the rest.
  const isGreedy = pattern.at(-1)?.endsWith('+}') ?? false;
  if (isGreedy ? segments.length < pattern.length : pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const isRest = isGreedy && index === pattern.length - 1;
    const actual = isRest ? segments.slice(index).join('/') : (segments[index] ?? '');
    const name = PARAMETER.exec(expected)?.[1];
    if (name === undefined ? actual !== expected : actual === '') return undefined;
    if (name !== undefined) parameters[name] = actual;
  }
  return parameters;
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  for (const [index, segment] of a.entries()) {
    const difference = Number(PARAMETER.test(segment)) - Number(PARAMETER.test(b[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}
