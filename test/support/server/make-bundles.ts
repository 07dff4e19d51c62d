import { cpSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundleForDeployment } from '../../../lib/build/bundle.ts';
import { BUNDLES_FOLDER } from '../../../lib/build/bundle-folders.ts';

// Copies the bundles of all functions, as `cdk` deploys them, into the given folder; see `buildBundles`.

const [, , folder = ''] = process.argv;
const bundles = await bundleForDeployment();
cpSync(BUNDLES_FOLDER, join(folder, 'dist'), { recursive: true });
// `madeOnce` renames the folder when the program has finished, so the stored paths are relative to the folder.
const moved = Object.entries(bundles).map(([entry, bundle]) => [
  entry,
  { ...bundle, dir: join('dist', relative(BUNDLES_FOLDER, bundle.dir)) },
]);
writeFileSync(join(folder, 'bundles.json'), JSON.stringify(Object.fromEntries(moved)));
