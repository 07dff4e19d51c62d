import { build } from 'esbuild';
import { leftOut } from '../../../lib/build/left-out.ts';

/** `node bundle-module.ts ENTRY OUTFILE`: one module in a bundle of its own, as functions are bundled. */
const [, , entry = '', outfile = ''] = process.argv;
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  plugins: [...leftOut],
});
