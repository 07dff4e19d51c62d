import { build } from 'esbuild';
import { leftOut } from '../../../lib/build/left-out.ts';

// Usage: `node bundle-modules.ts FOLDER MODULE...`. Bundles each module separately, with the settings of functions.

const [, , outdir = '', ...modules] = process.argv;
await build({
  entryPoints: modules,
  outdir,
  outbase: '.',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  plugins: [...leftOut],
});
