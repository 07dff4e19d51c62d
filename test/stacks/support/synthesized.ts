import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce } from '../../support/server/made-once.ts';
import type { SwitchName } from './switches.ts';
import type { Synthesized } from './synthesize.ts';
import { isOther, type VariantName } from './variants.ts';

/**
 * Returns the templates of an environment or variant. The templates are synthesized once for all test files and cached.
 */
export function synthesized(name: VariantName): Synthesized {
  const folder = madeOnce('test/stacks/support/make-templates.ts', isOther(name) ? 'others' : 'usual');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Synthesized;
}

/** Returns the templates of `eu` with a few operations: with the usual settings, or with one setting changed. */
export function switchedTemplates(name: SwitchName | 'unchanged'): Synthesized['templates'] {
  const folder = madeOnce('test/stacks/support/make-switched.ts');
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Synthesized['templates'];
}
