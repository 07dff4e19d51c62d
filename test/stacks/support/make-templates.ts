import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from './synthesize.ts';
import { isOther, type VariantName, variants } from './variants.ts';

// Writes the templates of variants into the given folder. The second argument selects the variants by `isOther`.

const [, , folder = '', part] = process.argv;
for (const [name, { environment, ...options }] of Object.entries(variants))
  if (isOther(name as VariantName) === (part === 'others'))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(synthesize(environment, options)));
