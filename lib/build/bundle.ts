import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { type BackgroundName, backgroundNames } from '../../functions/background.ts';
import { consoleOperations } from '../../functions/operations.ts';
import { portsIn } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { backgroundEntryOf, entryOf, tableSource, textsSource } from './entry.ts';
import { leftOut } from './left-out.ts';
import { exportedSchemas } from './schemas.ts';
import { documentOfService } from './service-document.ts';

export type OperationTable = Readonly<Record<string, Operation>>;

export interface Bundle {
  /** The function's asset: `index.cjs`, and `openapi.json` for those that read it. */
  readonly dir: string;
  readonly bytes: number;
  /** The modules with code in the bundle, as paths from the root of the repository. */
  readonly modules: readonly string[];
}

/** By `event` of an operation, by name of a function that no request calls. */
export type Bundles = Readonly<Record<string, Bundle>>;

const ROOT = resolve(import.meta.dirname, '../..');

const isBackground = (name: string): name is BackgroundName =>
  (backgroundNames as readonly string[]).includes(name);

/** A folder of their own: `webhooks` is such a function, and the events of rows begin with `webhooks/`. */
const folderOf = (name: string): string => (isBackground(name) ? `background/${name}` : name);

/** Entries are made, not files; see entry.ts. */
function virtualEntries(sources: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'virtual-entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^entry:/ }, ({ path }) => ({
        path: path.slice('entry:'.length),
        namespace: 'entry',
      }));
      onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        loader: 'ts',
        resolveDir: ROOT,
      }));
    },
  };
}

/** Schemas of all operations, and words about them, do not load to say which methods a path has. */
const tableAsData = (table: OperationTable): Plugin => ({
  name: 'table-as-data',
  setup({ onLoad }) {
    onLoad({ filter: /\/functions\/operations\.ts$/ }, () => ({ contents: tableSource(table) }));
  },
});

const textsByArea: Plugin = {
  name: 'texts-by-area',
  setup({ onLoad }) {
    onLoad({ filter: /shared\/templates\/texts\/all\.ts$/ }, () => ({ contents: textsSource() }));
  },
};

/**
 * Words of schemas are for the API document alone. Calls of an empty function vanish with their arguments; what checks
 * stays.
 */
const withoutWords: Plugin = {
  name: 'without-words',
  setup({ onLoad }) {
    onLoad({ filter: /shared\/schemas\/fields\/described\.ts$/ }, () => ({
      contents: `export function described(schema) { return schema; }
        export function doc() {} export function sample() {} export function operatorRole() {} export function unguarded() {} export function masked() {}`,
    }));
    // What a call has made stays in a bundle that does not use it.
    onLoad({ filter: /shared\/schemas\/fields\/words\.ts$/ }, async ({ path }) => {
      const words = (await readFile(path, 'utf8')).matchAll(/^export const (\w+) = (\()?/gm);
      const lines = [...words].map(
        ([, name, makes]) => `export const ${name} = ${makes ? '() => {}' : 'undefined'};`,
      );
      return { contents: lines.join('\n') };
    });
  },
};

async function sourcesOf(table: OperationTable): Promise<ReadonlyMap<string, string>> {
  const schemas = await exportedSchemas();
  const sources = new Map<string, string>();
  for (const [name, row] of Object.entries({ ...table, ...consoleOperations })) {
    if (sources.has(row.event)) throw new Error(`Two operations are called ${row.event}.`);
    sources.set(row.event, entryOf(name, row, schemas));
  }
  for (const name of backgroundNames) sources.set(name, backgroundEntryOf(name));
  return sources;
}

/**
 * Bundles all functions in one pass, those of the console too. `<outdir>/<folder>/index.cjs` is deployed; `<outdir>/.maps/<folder>/index.cjs.map` is
 * kept for stack traces. Bundles include the SDK in the tested version. CommonJS starts a quarter faster than ESM.
 * @throws when a file of the table is missing or does not compile
 */
export async function bundleFunctions(table: OperationTable, outdir: string): Promise<Bundles> {
  const sources = await sourcesOf(table);
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(
      [...sources.keys()].map((name) => [`${folderOf(name)}/index`, `entry:${name}`]),
    ),
    outdir: resolve(outdir),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'lib/build/lambda-credentials.ts') },
    define: { 'import.meta.dirname': '__dirname' },
    minify: true,
    // Texts of other alphabets: escapes would take twice the bytes.
    charset: 'utf8',
    // Not linked: maps are not deployed.
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [virtualEntries(sources), tableAsData(table), textsByArea, ...leftOut, withoutWords],
    logLevel: 'error',
  });
  await rm(outdir, { recursive: true, force: true });
  await Promise.all(outputFiles.map((file) => save(file, resolve(outdir))));
  const readers = Object.values({ ...table, ...consoleOperations }).filter(({ uses }) =>
    portsIn(uses).includes('apiDocument'),
  );
  const document = JSON.stringify(await documentOfService());
  for (const { event } of readers) await writeFile(join(outdir, event, 'openapi.json'), document);
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [resolve(ROOT, path), output]),
  );
  return Object.fromEntries(
    [...sources.keys()].map((name) => {
      const dir = join(resolve(outdir), folderOf(name));
      const output = outputs.get(join(dir, 'index.cjs'));
      if (!output) throw new Error(`There is no bundle of ${name}.`);
      const used = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      return [name, { dir, bytes: output.bytes, modules: used.map(([path]) => path) }];
    }),
  );
}

async function save(file: OutputFile, outdir: string): Promise<void> {
  const path = file.path.endsWith('.map') ? join(outdir, '.maps', relative(outdir, file.path)) : file.path;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file.contents);
}
