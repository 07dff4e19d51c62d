import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Operation } from '../../../shared/operation.ts';

type Table = Readonly<Record<string, Operation>>;

const DECLARATION = /^(?:export )?const (\w+)/gm;

async function readRowNames(area: string): Promise<readonly string[]> {
  // The npm package contains JavaScript instead of TypeScript, so the extension is that of this file.
  const path = `../../../functions/${area}/rows${extname(import.meta.url)}`;
  const source = await readFile(new URL(path, import.meta.url), 'utf8');
  return [...source.matchAll(DECLARATION)].map(([, name = '']) => name);
}

/**
 * Sorts the operations of each area in the order in which the area's `rows.ts` defines them, which is the order of use. The
 * order is read from the source code, because an imported module lists its exports in alphabetical order.
 */
export async function sortByUse(table: Table): Promise<Table> {
  const areas = [...new Set(Object.values(table).map(({ area }) => area))];
  const names = (await Promise.all(areas.map(readRowNames))).flat();
  return Object.fromEntries(names.flatMap((name) => (table[name] ? [[name, table[name]]] : [])));
}
