import { execFile } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import { generateServiceDocument } from '../service-document.ts';
import { generateApiSource } from './api.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');

/** Compiler options of the client. With empty `types` and the `lib` of browsers, code that needs Node does not compile. */
const COMPILER = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: '.',
};

/** Creates the client's package.json. The service's own file would add dependencies that the client does not need. */
const manifest = () => {
  const { version, license, dependencies } = packageJson;
  return {
    name: 'one-time-login-client',
    version,
    description:
      'The typed client of One-Time Login, a self-hosted service that logs people in without passwords',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { types: './client/index.d.ts', default: './client/index.js' },
    dependencies: { jose: `^${dependencies.jose}` },
  };
};

/** Compiles the client. The folder must be inside the project, so that the compiler finds `jose` in node_modules. */
async function compileClient(folder: string): Promise<void> {
  const source = `${folder}.source`;
  cpSync(join(ROOT, 'lib/client'), source, { recursive: true });
  writeFileSync(join(source, 'api.ts'), await generateApiSource(await generateServiceDocument()));
  writeFileSync(
    join(source, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...COMPILER, outDir: folder } }),
  );
  try {
    await promisify(execFile)(process.execPath, [TSC, '--project', source]);
  } catch (error) {
    throw new Error(`the client does not compile:\n${(error as { stdout?: string }).stdout}`, {
      cause: error,
    });
  }
  rmSync(source, { recursive: true });
}

export async function buildClientPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await compileClient(join(folder, 'client'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'lib/client/README.md'), join(folder, 'README.md'));
}
