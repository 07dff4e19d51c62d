import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from './synthesize.ts';
import { isOther, type VariantName, variants } from './variants.ts';

// Writes the templates of the usual or of the other variants into the given folder; see `synthesized`.

const [, , folder = '', part] = process.argv;
for (const [name, { environment, ...options }] of Object.entries(variants))
  if (isOther(name as VariantName) === (part === 'others'))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(synthesize(environment, options)));
