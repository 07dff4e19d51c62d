import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { OperationTable } from '../../build/bundle-folders.ts';

/**
 * Returns the route keys of an operation on the HTTP API. GET operations also handle HEAD. The only OPTIONS route of a path
 * belongs to the first operation with CORS on that path.
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
 * Returns true if CloudFront sends the requests of an operation directly to a function URL. This requires that browsers call
 * the operation and that no other operation shares its paths: CloudFront routes only by path, and a function URL accepts every
 * method. The HTTP API serves all other operations, and operations with `behindApi`.
 */
export function hasFunctionUrl(table: OperationTable, row: Operation): boolean {
  const own = listPaths(row);
  const shares = (other: Operation) =>
    other.event !== row.event && listPaths(other).some((path) => own.includes(path));
  return row.reach === 'browser' && !row.behindApi && !Object.values(table).some(shares);
}

/** Returns CloudFront's pattern for a path at the root and under `/cis`, with a wildcard for each path parameter. */
export const toEdgePattern = (path: string): string => `*${path.replace(/\{\w+\}/g, '*')}`;
