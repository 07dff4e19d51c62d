import type { Pace } from './pace.ts';
import type { Row } from './rows.ts';

export type RowOutcome = 'created' | 'existing';

export interface ImportOptions {
  readonly rows: AsyncIterable<Row>;
  /** Makes the user of a row. Throws `RefusedRow` with a message for the operator, or what ends the import. */
  readonly importRow: (body: unknown, row: number) => Promise<RowOutcome>;
  /** Settles when the log has taken what it was told of the rows so far: only then are they done. */
  readonly logged?: () => Promise<void>;
  readonly pace: Pace;
  /** Rows that an earlier run has done. */
  readonly skip: number;
  readonly onFailure: (row: number, message: string) => void;
  /** All rows up to this number are done: a later run may begin after it. */
  readonly onProgress: (done: number, counts: ImportCounts) => void;
  /** Somebody wants the import to end: what is on its way is finished, nothing new begins. */
  readonly isStopped?: () => boolean;
}

export interface ImportCounts {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
}

/**
 * Imports rows, so many at a time: the next row is read when one of those before is done, so memory does not grow with the
 * file. A row that is refused is reported and does not hold up the others; what is no refusal, such as a table that does not
 * answer for minutes, ends the import, and the next run goes on from there.
 */
export async function importUsers(options: ImportOptions): Promise<ImportCounts> {
  const { rows, importRow, logged, pace, skip, onFailure, onProgress, isStopped } = options;
  const counts = { created: 0, existing: 0, failed: 0 };
  // In the order in which they began: the first is the one that a later run begins with.
  const running = new Set<number>();
  const ending = new Set<Promise<void>>();
  let fatal: { readonly error: unknown } | undefined;
  let last = skip;

  function doneUpTo(): number {
    const [first] = running;
    return first === undefined ? last : first - 1;
  }

  async function run({ number, body, problem }: Row): Promise<void> {
    try {
      if (problem !== undefined) throw new RefusedRow(problem);
      counts[await importRow(body, number)] += 1;
    } catch (error) {
      if (!(error instanceof RefusedRow)) throw error;
      counts.failed += 1;
      onFailure(number, error.message);
    }
  }

  /** A row that fails stays among those that run: the next run begins with it. */
  async function end(number: number, ran: Promise<void>): Promise<void> {
    try {
      await ran;
      await logged?.();
      running.delete(number);
      onProgress(doneUpTo(), counts);
    } catch (error) {
      fatal ??= { error };
    }
  }

  for await (const row of rows) {
    if (row.number <= skip) continue;
    await pace.enter();
    if (fatal || isStopped?.()) {
      pace.leave();
      break;
    }
    last = row.number;
    running.add(row.number);
    const ran = run(row).catch((error: unknown) => {
      fatal ??= { error };
      throw error;
    });
    const ended = end(row.number, ran.finally(pace.leave));
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  }
  await pace.empty();
  await Promise.all(ending);
  onProgress(doneUpTo(), counts);
  if (fatal) throw fatal.error;
  return counts;
}

/** The row is at fault: the import goes on. */
export class RefusedRow extends Error {}
