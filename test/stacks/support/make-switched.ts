import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { switches, table } from './switches.ts';
import { synthesize } from './synthesize.ts';

// Writes the templates of `eu` with a few operations into the given folder: with the usual settings, and with each setting
// changed separately.

const [, , folder = ''] = process.argv;
for (const [name, options] of Object.entries({ unchanged: {}, ...switches }))
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify(synthesize('eu', { table, ...options }).templates),
  );
