import { readdir } from 'node:fs/promises';
import type { GenericSchema } from 'valibot';
import type { SchemaNames } from './json-schemas.ts';

const FOLDER = new URL('../../../shared/schemas/', import.meta.url);

function isSchema(value: unknown): value is GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

/** Every exported schema under the name that the code gives it. */
export async function schemaNames(): Promise<SchemaNames> {
  const names = new Map<GenericSchema, string>();
  for (const file of (await readdir(FOLDER)).sort()) {
    const module: Record<string, unknown> = await import(new URL(file, FOLDER).href);
    for (const [name, value] of Object.entries(module)) if (isSchema(value)) names.set(value, name);
  }
  return names;
}
