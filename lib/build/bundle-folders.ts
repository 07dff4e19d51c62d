import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BackgroundName, backgroundNames } from '../../functions/background.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';
import type { DeployedAreas } from '../../shared/domain/basis/areas.ts';
import { listPorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import type { ApiDocumentObject } from '../../shared/ports/api-document.ts';
import { limitDocument } from './openapi/limit-document.ts';

export type OperationTable = Readonly<Record<string, Operation>>;

export interface Bundle {
  /** Folder of the function's asset: `index.cjs`, and `openapi.json` if the function reads the API document. */
  readonly dir: string;
}

/** Bundles of all functions, keyed by the `event` of an operation or by the name of a background function. */
export type Bundles = Readonly<Record<string, Bundle>>;

/** Folder of the bundles that a deployment uses: `dist/functions` of the repository or of the npm package. */
export const BUNDLES_FOLDER = resolve(import.meta.dirname, '../../dist/functions');

const isBackground = (name: string): name is BackgroundName =>
  (backgroundNames as readonly string[]).includes(name);

/**
 * Returns the folder of a bundle. Background functions get their own parent folder, because a name such as `webhooks` is also
 * the beginning of the `event` of operations.
 */
export const toBundleFolder = (name: string): string => (isBackground(name) ? `background/${name}` : name);

/** Returns the event names of the operations whose bundle contains the API document. */
export const listDocumentReaders = (table: OperationTable): readonly string[] =>
  Object.values({ ...table, ...consoleOperations })
    .filter(({ uses }) => listPorts(uses).includes('apiDocument'))
    .map(({ event }) => event);

/**
 * Finds the bundles of all functions in `BUNDLES_FOLDER`.
 * @throws Error if the bundle of a function is missing
 */
export function findBundles(): Bundles {
  const events = Object.values({ ...operations, ...consoleOperations }).map(({ event }) => event);
  const found = [...events, ...backgroundNames].map((name) => {
    const dir = join(BUNDLES_FOLDER, toBundleFolder(name));
    if (!existsSync(join(dir, 'index.cjs'))) throw new Error(`The bundle of ${name} is missing: ${dir}`);
    return [name, { dir }] as const;
  });
  return Object.fromEntries(found);
}

/**
 * Returns the bundles of a deployment that has only some areas. Bundles with the API document are copied to `outdir`, where
 * their document describes only these areas.
 */
export function limitBundles(bundles: Bundles, areas: DeployedAreas, outdir: string): Bundles {
  const copies = listDocumentReaders(operations).map((event) => {
    const dir = join(outdir, event);
    const bundle = bundles[event];
    if (!bundle) throw new Error(`There is no bundle for ${event}.`);
    cpSync(bundle.dir, dir, { recursive: true });
    const path = join(dir, 'openapi.json');
    const document = JSON.parse(readFileSync(path, 'utf8')) as ApiDocumentObject;
    writeFileSync(path, JSON.stringify(limitDocument(document, areas)));
    return [event, { dir }] as const;
  });
  return { ...bundles, ...Object.fromEntries(copies) };
}
