import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a hash of the names and contents of the files that match the patterns, and of the version of Node.js. */
export function hashFiles(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(patterns, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
