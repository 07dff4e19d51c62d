import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from '../failure.ts';
import type { Row } from './rows.ts';

/** How far an import is: the next run goes on from there. */
export interface Checkpoint {
  readonly done: number;
  /** Names the import by its tenant and its first row: of another file nothing is passed over. */
  readonly of?: string;
}

export function readCheckpoint(file: string | undefined): Checkpoint {
  if (file === undefined || !existsSync(file)) return { done: 0 };
  const { done, of } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  if (!Number.isInteger(done) || Number(done) < 0)
    throw new UsageError(`${file} is no checkpoint of an import.`);
  return { done: Number(done), ...(typeof of === 'string' ? { of } : {}) };
}

/** Whole or not at all, whenever the process ends. */
export function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
  renameSync(`${file}.new`, file);
}

export function nameOfImport(tenantId: string, first: Row): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, first.body ?? first.problem]))
    .digest('base64url');
}
