import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';

export type OperationTable = Readonly<Record<string, Operation>>;

export interface Bundle {
  /** The folder that becomes the function's asset: nothing but `index.cjs`. */
  readonly dir: string;
  readonly bytes: number;
  /** Paths, from the root of the repository, of the modules of which code is in the bundle. */
  readonly modules: readonly string[];
}

/** By entry; see `Operation.entry`. */
export type Bundles = Readonly<Record<string, Bundle>>;

const ROOT = resolve(import.meta.dirname, '../..');
const LAMBDA = join(ROOT, 'shared/aws/lambda.ts');
const WIRE = join(ROOT, 'shared/aws/create-ports.ts');
const ADAPTERS = join(ROOT, 'shared/aws/adapters.ts');

/** Functions beside the operations: three of custom resources, and those that hear events. */
const FIRST_SIGNING_KEY = 'first-signing-key';
const EDGE_RECORDS = 'edge-records';
const SMS_SETTINGS = 'sms-settings';
const MAIL_EVENTS = 'mail-events';
export const EVENT_FORWARDER = 'event-forwarder';
const WEBHOOKS = 'webhooks';
const NOTICES = 'notices';
export const OTHER_FUNCTIONS = [
  FIRST_SIGNING_KEY,
  EDGE_RECORDS,
  SMS_SETTINGS,
  MAIL_EVENTS,
  EVENT_FORWARDER,
  WEBHOOKS,
  NOTICES,
] as const;
type OtherFunction = (typeof OTHER_FUNCTIONS)[number];
const OTHER_SOURCES = new Map(
  OTHER_FUNCTIONS.map((entry) => [entry, join(ROOT, `lib/${entry}/handler.ts`)] as const),
);

/**
 * `wire` reaches the adapters by name, so that every adapter, with every AWS client, would be in every bundle. This gives each
 * entry its own copy of the three modules between it and the adapters (told apart by a suffix), of which the last exports
 * exactly the adapters of the row's ports; the rest falls to tree shaking.
 */
function narrowAdapters(rows: ReadonlyMap<string, Operation>): Plugin {
  const entryOfSource = new Map([...rows.keys()].map((entry) => [sourceOf(entry), entry]));
  const filter = /\/(lambda|wire|adapters)\.ts$/;
  return {
    name: 'narrow-adapters',
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, (args) => {
        const path = resolve(args.resolveDir, args.path);
        const entry = path === LAMBDA ? entryOfSource.get(args.importer) : args.pluginData;
        if (entry === undefined || ![LAMBDA, WIRE, ADAPTERS].includes(path)) return undefined;
        return { path, suffix: `?${entry}`, pluginData: entry };
      });
      onLoad({ filter }, async (args) => {
        const row = rows.get(args.pluginData);
        if (!row) return undefined;
        const resolveDir = dirname(args.path);
        if (args.path !== ADAPTERS)
          return {
            contents: await readFile(args.path, 'utf8'),
            loader: 'ts',
            resolveDir,
            pluginData: row.entry,
          };
        const names = effectivePorts(row).join(', ');
        return {
          contents: `export { ${names} } from ${JSON.stringify(ADAPTERS)};`,
          loader: 'ts',
          resolveDir,
        };
      });
    },
  };
}

const sourceOf = (entry: string): string => join(ROOT, 'functions', `${entry}.ts`);

function entriesOf(table: OperationTable): ReadonlyMap<string, Operation> {
  const entries = new Map<string, Operation>();
  for (const row of Object.values(table)) {
    if (entries.has(row.entry)) throw new Error(`Two operations share the entry ${row.entry}.`);
    entries.set(row.entry, row);
  }
  return entries;
}

/** Those of no row have a folder of their own, for a row's entry may begin as one of them is called. */
const folderOf = (entry: string): string =>
  OTHER_SOURCES.has(entry as OtherFunction) ? `other/${entry}` : entry;

/**
 * Bundles the function of every row, and the others, in one pass: `<outdir>/<folder>/index.cjs` is
 * deployed, `<outdir>/.maps/<folder>/index.cjs.map` is kept for reading stack traces. The SDK is in the bundles: its version
 * is the tested one. CommonJS starts a quarter faster than ESM.
 * @throws when a file of the table is missing or does not compile
 */
export async function bundleFunctions(table: OperationTable, outdir: string): Promise<Bundles> {
  const rows = entriesOf(table);
  const sources = new Map<string, string>([
    ...[...rows.keys()].map((entry) => [entry, sourceOf(entry)] as const),
    ...OTHER_SOURCES,
  ]);
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(
      [...sources].map(([entry, source]) => [`${folderOf(entry)}/index`, source]),
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
    minify: true,
    // Texts of five languages: an escape has twice the bytes of what it stands for.
    charset: 'utf8',
    // Not linked: the deployed file must not name a map that is not deployed.
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [narrowAdapters(rows)],
    logLevel: 'error',
  });
  await rm(outdir, { recursive: true, force: true });
  await Promise.all(outputFiles.map((file) => save(file, resolve(outdir))));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [resolve(ROOT, path), output]),
  );
  return Object.fromEntries(
    [...sources.keys()].map((entry) => {
      const dir = join(resolve(outdir), folderOf(entry));
      const output = outputs.get(join(dir, 'index.cjs'));
      if (!output) throw new Error(`There is no bundle of ${entry}.`);
      const used = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      const modules = used.map(([path]) => path.replace(/\?.*$/, ''));
      return [entry, { dir, bytes: output.bytes, modules }];
    }),
  );
}

async function save(file: OutputFile, outdir: string): Promise<void> {
  const path = file.path.endsWith('.map') ? join(outdir, '.maps', relative(outdir, file.path)) : file.path;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file.contents);
}
