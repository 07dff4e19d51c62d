import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundleFunctions } from '../../../lib/build/bundle.ts';
import { operationsOf } from './bundled-operations.ts';

/** Bundles all or some functions into the folder that is named, as `cdk` does; see `bundlesOfRun`. */
const [, , folder = '', part] = process.argv;
const bundles = await bundleFunctions(operationsOf(part === 'all'), join(folder, 'dist'));
// The folder is moved when it is finished.
const moved = Object.entries(bundles).map(([entry, bundle]) => [
  entry,
  { ...bundle, dir: relative(folder, bundle.dir) },
]);
writeFileSync(join(folder, 'bundles.json'), JSON.stringify(Object.fromEntries(moved)));
