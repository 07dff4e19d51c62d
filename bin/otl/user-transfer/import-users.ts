import type { Pace } from './pace.ts';
import type { Row } from './rows.ts';

export type RowOutcome = 'created' | 'existing';

export interface ImportOptions {
  readonly rows: AsyncIterable<Row>;
  /** Creates the user of a row. Throws `RefusedRow` with a message for the operator; any other error ends the import. */
  readonly importRow: (body: unknown, row: number) => Promise<RowOutcome>;
  /** Resolves once the audit log has accepted the lines of all rows so far. Before that, no row counts as done. */
  readonly waitForAuditLog?: () => Promise<void>;
  readonly pace: Pace;
  /** Number of rows that an earlier run of the import has finished. This run skips them. */
  readonly skip: number;
  readonly onFailure: (row: number, message: string) => void;
  /** Called when all rows up to `done` are done. A later run can begin after these rows. */
  readonly onProgress: (done: number, counts: ImportCounts) => void;
  /** Returns true if the operator has stopped the import. Rows in progress then finish, and no new row begins. */
  readonly isStopped?: () => boolean;
}

export interface ImportCounts {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
}

/**
 * Imports rows with limited concurrency. Reads a row only when an earlier row is done, so that memory does not grow with the
 * file. A rejected row is reported and delays no other row. Any other error, such as a table that does not respond for minutes,
 * ends the import; the next run continues at the row that failed.
 */
export async function importUsers(options: ImportOptions): Promise<ImportCounts> {
  const { rows, importRow, waitForAuditLog, pace, skip, onFailure, onProgress, isStopped } = options;
  const counts = { created: 0, existing: 0, failed: 0 };
  // Numbers of the running rows in the order of their start. A later run begins with the first of them.
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

  /**
   * Waits for the end of a row and reports the progress. A failed row stays in `running`, so that the next run begins with this
   * row.
   */
  async function end(number: number, ran: Promise<void>): Promise<void> {
    try {
      await ran;
      await waitForAuditLog?.();
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

/** Error for a row that the import rejects. The import continues with the other rows. */
export class RefusedRow extends Error {}
