import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../functions/operations.ts';
import { bundleFunctions } from '../lib/build/bundle.ts';
import { recordedSizes, SIZES_FILE } from '../lib/build/bundle-sizes.ts';
import { COLD_INITS_FILE, coldInitsOf } from '../lib/build/cold-init.ts';

/** Records the size of every bundle, and what it evaluates when it is loaded; prints which sizes have changed since. */
const before = recordedSizes();
const bundles = await bundleFunctions(operations, join(import.meta.dirname, '../dist'));
const sizes = Object.fromEntries(Object.entries(bundles).map(([entry, { bytes }]) => [entry, bytes]));
writeFileSync(SIZES_FILE, `${JSON.stringify(sizes, undefined, 2)}\n`);
writeFileSync(COLD_INITS_FILE, `${JSON.stringify(await coldInitsOf(bundles), undefined, 2)}\n`);
for (const [entry, bytes] of Object.entries(sizes))
  if (before[entry] !== bytes) console.log(`${entry}: ${before[entry] ?? 'not recorded'} -> ${bytes} bytes`);
