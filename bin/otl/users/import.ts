import type { Row } from './rows.ts';

export type RowOutcome = 'created' | 'existing';

export interface ImportOptions {
  readonly rows: AsyncIterable<Row>;
  /** Makes the user of a row. Throws with a message for the operator. */
  readonly importRow: (body: unknown) => Promise<RowOutcome>;
  /** How many rows are on their way at the same time. */
  readonly concurrency: number;
  /** Rows that an earlier run has done. */
  readonly skip: number;
  readonly onFailure: (row: number, message: string) => Promise<void>;
  /** All rows up to this number are done: a later run may begin after it. */
  readonly onProgress: (done: number, counts: ImportCounts) => Promise<void>;
}

export interface ImportCounts {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
}

/**
 * Imports rows, so many at a time: the next row is read when one of those before is done, so memory does not grow with the
 * file. A row that is refused is reported and does not hold up the others; what is no refusal, such as a table that does not
 * answer, ends the import, and the next run goes on from there.
 */
export async function importUsers(options: ImportOptions): Promise<ImportCounts> {
  const counts = { created: 0, existing: 0, failed: 0 };
  const running = new Map<number, Promise<void>>();
  let fatal: { readonly error: unknown } | undefined;
  let last = options.skip;

  const doneUpTo = () => Math.min(last + 1, ...running.keys()) - 1;
  async function run({ number, body, problem }: Row): Promise<void> {
    try {
      if (problem !== undefined) throw new RefusedRow(problem);
      counts[await options.importRow(body)] += 1;
    } catch (error) {
      if (!(error instanceof RefusedRow)) {
        fatal ??= { error };
        return;
      }
      counts.failed += 1;
      await options.onFailure(number, error.message);
    }
  }

  for await (const row of options.rows) {
    if (row.number <= options.skip) continue;
    if (fatal) break;
    last = row.number;
    running.set(
      row.number,
      run(row).finally(() => {
        // What has failed as a whole is not done: the next run begins with it.
        if (!fatal) running.delete(row.number);
      }),
    );
    if (running.size >= options.concurrency) await Promise.race(running.values());
    if (!fatal) await options.onProgress(doneUpTo(), counts);
  }
  await Promise.all(running.values());
  await options.onProgress(fatal ? doneUpTo() : last, counts);
  if (fatal) throw fatal.error;
  return counts;
}

/** The row is at fault: the import goes on. */
export class RefusedRow extends Error {}
