import { DEFAULT_PATH, pathsOf, verbsOf } from '../shared/http/path.ts';
import type { Operation } from '../shared/operation.ts';
import type { OperationTable } from './bundle.ts';

/**
 * The keys of a row's routes on the HTTP API. GET rows also answer HEAD. A path whose rows allow browsers of other origins
 * answers OPTIONS: a route of its first such row, since one path has one such route.
 */
export function routeKeysOf(table: OperationTable, row: Operation): readonly string[] {
  return pathsOf(row).flatMap((path) => {
    if (path === DEFAULT_PATH) return [DEFAULT_PATH];
    const keys = verbsOf(row).map((verb) => `${verb} ${path}`);
    if (verbsOf(row).includes('GET')) keys.push(`HEAD ${path}`);
    const answersOptions = Object.values(table).find(
      (other) => other.cors !== 'none' && pathsOf(other).includes(path),
    );
    if (answersOptions === row) keys.push(`OPTIONS ${path}`);
    return keys;
  });
}
