import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from './synthesize.ts';
import { variants } from './variants.ts';

/** Writes the templates of every variant into the folder that is named; see `synthesized`. */
const [, , folder = ''] = process.argv;
for (const [name, { environment, ...options }] of Object.entries(variants))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(synthesize(environment, options)));
