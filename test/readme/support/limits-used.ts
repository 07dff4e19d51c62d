import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { operations } from '../../../functions/operations.ts';
import { ROOT } from './readme.ts';

const LIMITS = join(ROOT, 'shared/domain/basis/limits.ts');
/** Imports the stores of all ports, whoever uses them. */
const ADAPTERS = join(ROOT, 'shared/aws/adapters.ts');
const IMPORT = /^import\s+(?:type\s+)?(?:\{([^}]*)\}|[\w*\s]+)\s+from\s+'(\.[^']+\.ts)'/gm;

/** Names of the constants that the functions of the table import, directly or through what they import. */
export function limitsUsedByFunctions(): readonly string[] {
  const used = new Set<string>();
  const seen = new Set([LIMITS, ADAPTERS]);
  const waiting = Object.values(operations).map(({ file }) => join(ROOT, `functions/${file}.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, names = '', path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const target = resolve(dirname(file), path);
      if (target === LIMITS) for (const name of names.split(',')) if (name.trim()) used.add(name.trim());
      waiting.push(target);
    }
  }
  return [...used].sort();
}
