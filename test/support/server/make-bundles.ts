import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { operations } from '../../../functions/operations.ts';
import { bundleFunctions } from '../../../lib/build/bundle.ts';

// Bundles all functions into the given folder, as `cdk` does; see `buildBundles`.

const [, , folder = ''] = process.argv;
const bundles = await bundleFunctions(operations, join(folder, 'dist'));
// `madeOnce` renames the folder when the program has finished, so the stored paths are relative to the folder.
const moved = Object.entries(bundles).map(([entry, bundle]) => [
  entry,
  { ...bundle, dir: relative(folder, bundle.dir) },
]);
writeFileSync(join(folder, 'bundles.json'), JSON.stringify(Object.fromEntries(moved)));
