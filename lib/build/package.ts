import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundleForDeployment } from './bundle.ts';
import { BUNDLES_FOLDER } from './bundle-folders.ts';

/** Source files that the package exports. Type declarations are generated for them. */
const EXPORTED = ['lib/local/for-tests/start-local.ts', 'lib/stacks/one-time-login.ts'];
/** Type declarations of an untyped module that the exported files import. */
const AMBIENT = 'shared/templates/negotiator-language.d.ts';

const COMPILER =
  '--ignoreConfig --declaration --emitDeclarationOnly --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2024 --types node --allowImportingTsExtensions --rootDir .';

/** Pattern of relative paths that end in `.ts`, in imports and in file names relative to `import.meta.url`. */
const TYPESCRIPT_FILE = /(["'`])(\.{1,2}\/[^"'`\n]*)\.ts\1/g;
const toJavaScript = (text: string) => text.replace(TYPESCRIPT_FILE, '$1$2.js$1');

/**
 * Builds the npm package of the service. Converts each source file to JavaScript, because Node runs no TypeScript in
 * node_modules, and adds the bundles that a deployment needs.
 */
export async function buildPackage(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const files = [
    'package.json',
    'cdk.json',
    ...globSync('{bin,functions,lib,shared}/**/*', { cwd: root, exclude: ['lib/client'] }),
  ]
    .filter((file) => !/\.(?:md|d\.ts)$/.test(file) && statSync(join(root, file)).isFile())
    .sort();
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: files.filter((file) => file.endsWith('.ts')),
    outbase: root,
    outdir: folder,
    format: 'esm',
    target: 'node24',
    write: false,
  });
  for (const { path, text } of outputFiles) write(path, toJavaScript(text));
  for (const file of files.filter((each) => !each.endsWith('.ts'))) {
    const text = readFileSync(join(root, file), 'utf8');
    write(join(folder, file), file.endsWith('.mjs') ? toJavaScript(text) : text);
  }
  await bundleForDeployment();
  cpSync(BUNDLES_FOLDER, join(folder, 'dist/functions'), {
    recursive: true,
    filter: (path) => !/\/(?:\.maps|bundles\.json)$/.test(path),
  });
  const types = join(folder, 'types');
  execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    [...COMPILER.split(' '), '--outDir', types, AMBIENT, ...EXPORTED],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  for (const file of globSync('**/*.d.ts', { cwd: types }))
    write(join(types, file), toJavaScript(readFileSync(join(types, file), 'utf8')));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
