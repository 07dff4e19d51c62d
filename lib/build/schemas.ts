import { readdir } from 'node:fs/promises';
import type { GenericSchema } from 'valibot';

const FOLDER = 'shared/schemas/';
const ROOT = new URL('../../', import.meta.url);

interface ExportedSchema {
  readonly name: string;
  /** Path of the schema's file, relative to the root of the repository. */
  readonly file: string;
}

function isSchema(value: unknown): value is GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

/** Returns all schemas that shared/schemas/ exports, each with its exported name and its file. */
export async function exportedSchemas(): Promise<ReadonlyMap<GenericSchema, ExportedSchema>> {
  const schemas = new Map<GenericSchema, ExportedSchema>();
  for (const file of (await readdir(new URL(FOLDER, ROOT), { recursive: true })).sort()) {
    if (!/\.[jt]s$/.test(file)) continue;
    const module: Record<string, unknown> = await import(new URL(FOLDER + file, ROOT).href);
    for (const [name, value] of Object.entries(module))
      if (isSchema(value)) schemas.set(value, { name, file: FOLDER + file });
  }
  return schemas;
}
