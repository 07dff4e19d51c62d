import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from '../terminal/failure.ts';
import type { Row } from './rows.ts';

/** Progress of an import, from which the next run continues. */
export interface Checkpoint {
  readonly done: number;
  /**
   * Hash of the tenant and of the file's first row. An import continues only with the same file; in another file it would skip
   * rows.
   */
  readonly of?: string;
  /** Import run that has not finished: its `request_id` in the audit log, and its start time in epoch seconds. */
  readonly run?: { readonly id: string; readonly since: number };
}

function readRun(given: unknown): Pick<Checkpoint, 'run'> {
  const { id, since } = (given ?? {}) as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && typeof since === 'number' ? { run: { id, since } } : {};
}

export function readCheckpoint(file: string | undefined): Checkpoint {
  if (file === undefined || !existsSync(file)) return { done: 0 };
  const { done, of, run } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
  if (!Number.isInteger(done) || Number(done) < 0)
    throw new UsageError(`${file} is not the checkpoint of an import.`);
  return { done: Number(done), ...(typeof of === 'string' ? { of } : {}), ...readRun(run) };
}

/** Writes a checkpoint atomically. If the process is interrupted, either the old or the new checkpoint is intact. */
export function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
  renameSync(`${file}.new`, file);
}

export function hashImport(tenantId: string, first: Row): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, first.body ?? first.problem]))
    .digest('base64url');
}
