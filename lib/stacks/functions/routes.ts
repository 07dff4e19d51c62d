import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { OperationTable } from '../../build/bundle.ts';

/**
 * Returns the route keys of an operation on the HTTP API. GET operations also handle HEAD. A path has only one OPTIONS route,
 * which belongs to the path's first operation with CORS.
 */
export function listRouteKeys(table: OperationTable, row: Operation): readonly string[] {
  return listPaths(row).flatMap((path) => {
    if (path === DEFAULT_PATH) return [DEFAULT_PATH];
    const keys = listNamedMethods(row).map((verb) => `${verb} ${path}`);
    if (listNamedMethods(row).includes('GET')) keys.push(`HEAD ${path}`);
    const answersOptions = Object.values(table).find(
      (other) => other.cors !== 'none' && listPaths(other).includes(path),
    );
    if (answersOptions === row) keys.push(`OPTIONS ${path}`);
    return keys;
  });
}

/**
 * Returns true if CloudFront sends the requests of an operation to a function URL: browsers call the operation, and no other
 * operation shares its paths. CloudFront routes only by path, and a function URL accepts every method. Operations that share a
 * path therefore stay with the HTTP API, as do operations with `behindApi`.
 */
export function hasFunctionUrl(table: OperationTable, row: Operation): boolean {
  const own = listPaths(row);
  const shares = (other: Operation) =>
    other.event !== row.event && listPaths(other).some((path) => own.includes(path));
  return row.reach === 'browser' && !row.behindApi && !Object.values(table).some(shares);
}

/** Returns CloudFront's pattern for a path, at the root and under `/cis`. The pattern matches any value of a parameter. */
export const toEdgePattern = (path: string): string => `*${path.replace(/\{\w+\}/g, '*')}`;
