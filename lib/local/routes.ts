import { listAnsweredMethods } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';

export interface Route {
  /** Name of the operation in the table of operations. */
  readonly name: string;
  readonly row: Operation;
  /**
   * Path template of the operation, for example `/v1/users/{id}`. `$default` matches all paths that match no other template.
   */
  readonly path: string;
}

export interface Match extends Route {
  /** Values of the path parameters, percent-encoded as in the request. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type Operations = Readonly<Record<string, Operation>>;

const PARAMETER = /^\{(\w+)\+?\}$/;

/**
 * Creates a function that matches requests to operations as API Gateway does. From left to right, a literal segment takes
 * precedence over a parameter. `$default` matches all other requests.
 */
export function createRouter(operations: Operations): (method: string, path: string) => Match | undefined {
  const routes = Object.entries(operations)
    .flatMap(([name, row]) =>
      [row.path]
        .flat()
        .map((path) => ({ name, row, path, segments: path.split('/'), methods: listAnsweredMethods(row) })),
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
  // A greedy parameter, such as `{path+}`, matches all remaining segments.
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
