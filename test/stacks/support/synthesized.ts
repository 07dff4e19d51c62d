import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce } from '../../support/server/made-once.ts';
import type { Synthesized } from './synthesize.ts';
import type { VariantName } from './variants.ts';

/** The templates of an environment or of a variant of one; all of them are synthesized once, for all tests. */
export function synthesized(name: VariantName): Synthesized {
  const folder = madeOnce('test/stacks/support/make-templates.ts');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Synthesized;
}
