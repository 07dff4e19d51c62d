import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuiltBundles } from '../../../lib/build/bundle.ts';
import type { Handler } from '../../../lib/local/gateway.ts';
import { madeOnce } from './made-once.ts';

/** Returns the function bundles that `cdk` deploys. The bundles are built once for all tests. */
export function buildBundles(): { readonly outdir: string; readonly bundles: BuiltBundles } {
  const folder = madeOnce('test/support/server/make-bundles.ts');
  const bundles = JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')) as BuiltBundles;
  const placed = Object.entries(bundles).map(([entry, bundle]) => [
    entry,
    { ...bundle, dir: join(folder, bundle.dir) },
  ]);
  return { outdir: join(folder, 'dist'), bundles: Object.fromEntries(placed) };
}

/** Returns a function that loads the handler of a Lambda function from its bundle, as Lambda does. */
export function bundledFunctions<Function = Handler>(): (entry: string) => Promise<Function> {
  const { bundles } = buildBundles();
  const load = createRequire(import.meta.url);
  return async (entry) => {
    const dir = bundles[entry]?.dir;
    if (dir === undefined) throw new Error(`There is no bundle of ${entry}.`);
    return load(join(dir, 'index.cjs')).handler;
  };
}
