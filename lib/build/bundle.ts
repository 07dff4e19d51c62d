import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type OutputFile, type Plugin, stop } from 'esbuild';
import { backgroundNames } from '../../functions/background.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';
import {
  BUNDLES_FOLDER,
  type Bundle,
  listDocumentReaders,
  type OperationTable,
  toBundleFolder,
} from './bundle-folders.ts';
import { generateBackgroundEntry, generateEntry, generateTable, generateTexts } from './entry.ts';
import { leftOut } from './left-out.ts';
import { exportedSchemas } from './schemas.ts';
import { generateServiceDocument } from './service-document.ts';
import { hashFiles } from './source-hash.ts';

interface BuiltBundle extends Bundle {
  readonly bytes: number;
  /** Paths of all modules that contribute code to the bundle, relative to the root of the repository. */
  readonly modules: readonly string[];
}

/** Bundles of all functions, keyed as in `Bundles`. */
export type BuiltBundles = Readonly<Record<string, BuiltBundle>>;

const ROOT = resolve(import.meta.dirname, '../..');

/** Creates the esbuild plugin that loads the generated entry modules (see entry.ts), which exist only in memory. */
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

/**
 * Replaces the table of operations with plain data without schemas and descriptions. Only the function for unknown paths
 * imports the table, to find out which methods a path has.
 */
const tableAsData = (table: OperationTable): Plugin => ({
  name: 'table-as-data',
  setup({ onLoad }) {
    onLoad({ filter: /\/functions\/operations\.ts$/ }, () => ({ contents: generateTable(table) }));
  },
});

const textsByArea: Plugin = {
  name: 'texts-by-area',
  setup({ onLoad }) {
    onLoad({ filter: /shared\/templates\/texts\/all\.ts$/ }, () => ({ contents: generateTexts() }));
  },
};

/**
 * Removes descriptions and examples of schemas from the bundles, because only the API document needs them. The functions that
 * add them become empty, and esbuild drops the calls with their arguments. Only the validation remains.
 */
const withoutWords: Plugin = {
  name: 'without-words',
  setup({ onLoad }) {
    onLoad({ filter: /shared\/schemas\/fields\/described\.ts$/ }, () => ({
      contents: `export function described(schema) { return schema; }
        export function describe() {} export function sample() {} export function operatorRole() {} export function unguarded() {} export function masked() {}`,
    }));
    // esbuild keeps the results of calls even if they are unused, so every constant is replaced.
    onLoad({ filter: /shared\/schemas\/fields\/words\.ts$/ }, async ({ path }) => {
      const words = (await readFile(path, 'utf8')).matchAll(/^export const (\w+) = (\()?/gm);
      const lines = [...words].map(
        ([, name, makes]) => `export const ${name} = ${makes ? '() => {}' : 'undefined'};`,
      );
      return { contents: lines.join('\n') };
    });
  },
};

/**
 * Files that the bundles depend on. The API document contains the version in `package.json`, and npm lists the installed packages
 * in `.package-lock.json`.
 */
const INPUTS = ['functions/**/*', 'lib/**/*', 'shared/**/*', '*.json', 'node_modules/.package-lock.json'];

/** File in `BUNDLES_FOLDER` that describes the bundles. */
const MANIFEST = 'bundles.json';

interface Manifest {
  readonly sources: string;
  readonly bundles: BuiltBundles;
}

/**
 * Returns the bundles that a deployment uses. Bundles all functions into `BUNDLES_FOLDER`, unless that folder already has the
 * bundles of the current sources: bundling takes about a minute of CPU time, and `cdk` would repeat it for each environment.
 */
export async function bundleForDeployment(): Promise<BuiltBundles> {
  const sources = hashFiles(ROOT, INPUTS);
  const findCurrent = () => {
    const path = join(BUNDLES_FOLDER, MANIFEST);
    const manifest = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined;
    return manifest?.sources === sources ? manifest.bundles : undefined;
  };
  const current = findCurrent();
  if (current) return current;
  // The folder is replaced as a whole, because another process may be reading the bundles.
  const unfinished = `${BUNDLES_FOLDER}-${process.pid}`;
  const built = Object.entries(await bundleFunctions(operations, unfinished)).map(([name, bundle]) => [
    name,
    { ...bundle, dir: join(BUNDLES_FOLDER, toBundleFolder(name)) },
  ]);
  const manifest: Manifest = { sources, bundles: Object.fromEntries(built) };
  await writeFile(join(unfinished, MANIFEST), JSON.stringify(manifest));
  if (findCurrent()) await rm(unfinished, { recursive: true });
  else {
    await rm(BUNDLES_FOLDER, { recursive: true, force: true });
    await rename(unfinished, BUNDLES_FOLDER);
  }
  return manifest.bundles;
}

async function generateSources(table: OperationTable): Promise<ReadonlyMap<string, string>> {
  const schemas = await exportedSchemas();
  const sources = new Map<string, string>();
  for (const [name, row] of Object.entries({ ...table, ...consoleOperations })) {
    if (sources.has(row.event)) throw new Error(`Two operations have the event ${row.event}.`);
    sources.set(row.event, generateEntry(name, row, schemas));
  }
  for (const name of backgroundNames) sources.set(name, generateBackgroundEntry(name));
  return sources;
}

/** Number of functions that esbuild bundles in one pass, with 0.9 GB of memory. All functions in one pass need 4.8 GB. */
const GROUP = 20;

/**
 * Bundles all functions, including those of the console, in groups. `<outdir>/<folder>/index.cjs` is deployed, and the source
 * map `<outdir>/.maps/<folder>/index.cjs.map` is stored for stack traces. Bundles contain the tested version of the AWS SDK.
 * The format is CommonJS, because it starts a quarter faster than ESM.
 * @throws Error if a file of an operation is missing or does not compile.
 */
export async function bundleFunctions(table: OperationTable, outdir: string): Promise<BuiltBundles> {
  const sources = await generateSources(table);
  const names = [...sources.keys()];
  await rm(outdir, { recursive: true, force: true });
  const built: Record<string, BuiltBundle> = {};
  for (let first = 0; first < names.length; first += GROUP)
    Object.assign(built, await bundleGroup(names.slice(first, first + GROUP), { sources, table, outdir }));
  // Ends the process of esbuild, whose memory CDK then needs.
  await stop();
  const document = JSON.stringify(await generateServiceDocument());
  for (const event of listDocumentReaders(table))
    await writeFile(join(outdir, event, 'openapi.json'), document);
  return built;
}

interface GroupOptions {
  readonly sources: ReadonlyMap<string, string>;
  readonly table: OperationTable;
  readonly outdir: string;
}

/**
 * Bundles the functions with these names. Writes their files before it returns, so that the memory is free for the next group.
 */
async function bundleGroup(
  names: readonly string[],
  { sources, table, outdir }: GroupOptions,
): Promise<BuiltBundles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(names.map((name) => [`${toBundleFolder(name)}/index`, `entry:${name}`])),
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
    // Escape sequences would double the size of texts in non-Latin alphabets.
    charset: 'utf8',
    // Bundles do not refer to their source maps, because the source maps are not deployed.
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [virtualEntries(sources), tableAsData(table), textsByArea, ...leftOut, withoutWords],
    logLevel: 'error',
  });
  await Promise.all(outputFiles.map((file) => save(file, resolve(outdir))));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [resolve(ROOT, path), output]),
  );
  return Object.fromEntries(
    names.map((name) => {
      const dir = join(resolve(outdir), toBundleFolder(name));
      const output = outputs.get(join(dir, 'index.cjs'));
      if (!output) throw new Error(`The bundle of ${name} is missing.`);
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
