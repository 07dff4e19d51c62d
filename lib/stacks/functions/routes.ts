import { DEFAULT_PATH, pathsOf, verbsOf } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { OperationTable } from '../../build/bundle.ts';

/**
 * The keys of a row's routes on the HTTP API. GET rows also answer HEAD. A path with CORS answers OPTIONS, by its first row
 * with CORS: one path has one such route.
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

/**
 * Whether the edge sends the requests of a row to its function URL: browsers call it, and no other row has its paths. The
 * edge routes by path alone and a function URL takes every method, so rows that share a path stay with the HTTP API, as do
 * those that say so.
 */
export function hasFunctionUrl(table: OperationTable, row: Operation): boolean {
  const own = pathsOf(row);
  const shares = (other: Operation) =>
    other.event !== row.event && pathsOf(other).some((path) => own.includes(path));
  return row.reach === 'browser' && !row.behindApi && !Object.values(table).some(shares);
}

/** The edge's pattern of a path: at the root and under `/cis`, with any value for a parameter. */
export const edgePatternOf = (path: string): string => `*${path.replace(/\{\w+\}/g, '*')}`;
