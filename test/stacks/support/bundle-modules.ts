import { build } from 'esbuild';
import { leftOut } from '../../../lib/build/left-out.ts';

/** `node bundle-modules.ts FOLDER MODULE...`: each module in a bundle of its own, as functions are bundled. */
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
