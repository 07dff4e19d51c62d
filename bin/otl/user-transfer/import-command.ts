import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { iterateItems } from '../../../shared/domain/basis/change-record.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toRelyingParty } from '../../../shared/domain/passkeys/relying-party.ts';
import { chooseApplications } from '../../../shared/domain/users/create-user.ts';
import type { Application, Tenant } from '../../../shared/ports/directory.ts';
import type { AuditLog } from '../engine/audit-log.ts';
import type { Call } from '../engine/command.ts';
import { readCount } from '../engine/fields.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { type Checkpoint, hashImport, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type RowOptions, rowImporter } from './import-row.ts';
import { type ImportCounts, importUsers } from './import-users.ts';
import { requireNothingLost } from './not-taken.ts';
import { createPace } from './pace.ts';
import { type Row, readRows, readShape } from './rows.ts';
import { withFile } from './spooled-input.ts';
import type { ImportTerms } from './taken-row.ts';

const CONCURRENCY = 20;
const CONCURRENCY_MAX = 100;
/**
 * Milliseconds between two writes of the checkpoint. After a crash, users imported since the last write are counted as existing
 * users.
 */
const NOTE_MILLISECONDS = 1000;
const MILLISECONDS = 1000;

interface OpenedCheckpoint {
  readonly of: string | undefined;
  readonly file: string | undefined;
  readonly learn: (name: string) => void;
}

/**
 * Yields the rows of the file. Before the first row, checks that the checkpoint was written for this file and tenant.
 * @throws `UsageError` if the checkpoint belongs to another import.
 */
async function* withCheckpointCheck(
  rows: AsyncIterable<Row>,
  { tenantId }: Tenant,
  { of, file, learn }: OpenedCheckpoint,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (row.number === 1) {
      const name = hashImport(tenantId, row);
      if (of !== undefined && of !== name)
        throw new UsageError(`${file} is the checkpoint of another file or tenant. Name another checkpoint.`);
      learn(name);
    }
    yield row;
  }
}

/** Opens the log of rejected rows, with one JSON line for each row. A later run appends to the file. */
function failureLog(file: string | undefined) {
  const descriptor = file === undefined ? undefined : openSync(file, 'a');
  return {
    write(row: number, message: string): void {
      const line = `${JSON.stringify({ row, message })}\n`;
      if (descriptor === undefined) process.stderr.write(line);
      else writeSync(descriptor, line);
    },
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** Saves and displays the progress of an import, at most once a second. */
function progressNotes(skip: number, note: (done: number) => void, limit: () => number) {
  const began = performance.now();
  let notedAt = began;
  let done = skip;

  function show({ created, existing, failed }: ImportCounts): void {
    if (!process.stderr.isTTY) return;
    const perSecond = Math.round(((done - skip) * MILLISECONDS) / (performance.now() - began));
    process.stderr.write(
      `\r${done} rows, ${perSecond} a second, ${limit()} at a time: ${created} created, ${existing} existing, ${failed} rejected `,
    );
  }

  return {
    advance(to: number, counts: ImportCounts): void {
      done = to;
      if (performance.now() - notedAt < NOTE_MILLISECONDS) return;
      notedAt = performance.now();
      note(done);
      show(counts);
    },
    end(): number {
      note(done);
      if (process.stderr.isTTY) process.stderr.write('\n');
      return done;
    },
  };
}

/**
 * Handles Ctrl-C and SIGTERM. The first signal lets the import finish the rows in progress and save the checkpoint; the second
 * signal ends the process.
 */
function stopSignal(): { readonly isStopped: () => boolean; readonly forget: () => void } {
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    isStopped: () => stopped,
    forget: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  };
}

/**
 * Returns a function that adds each created user to the audit log. Users that an interrupted run created after its last
 * checkpoint are logged again under the ID of that run, so that each user remains one event.
 */
function createdUserLogger(
  auditLog: AuditLog,
  before: Checkpoint,
  run: NonNullable<Checkpoint['run']>,
): RowOptions['logUser'] {
  return (row, outcome, { userId, at }) => {
    if (outcome === 'existing' && !(before.run && at >= before.run.since)) return;
    const result = outcome === 'created' ? 'ok' : outcome;
    auditLog.addRow({ requestId: run.id, row, at }, result, { userId }, ['user.created']);
  };
}

/**
 * Reads the options that apply to all rows.
 * @throws `UsageError`; `system_invalid_input` if the tenant does not have an application that the options name.
 */
async function readTerms({ ports, option, baseUrl }: Call, { tenantId }: Tenant): Promise<ImportTerms> {
  const applications: Application[] = [];
  for await (const each of iterateItems((page) => ports.applicationRecords.list(tenantId, page)))
    applications.push(each);
  const named = option('application')?.split(',');
  const known = applications.map(({ applicationId }) => applicationId);
  chooseApplications(known, named);
  const terms = {
    trusts: option('trust-verified') !== undefined,
    keepsIds: option('keep-user-ids') !== undefined,
    rpId: option('rp-id'),
  };
  if (!terms.trusts && (terms.keepsIds || terms.rpId !== undefined))
    throw new UsageError('--keep-user-ids and --rp-id require --trust-verified.');
  const browserOrigin = new URL(baseUrl).origin;
  const findRpId = (application: Application) => toRelyingParty(application, { browserOrigin }).rpId;
  return { ...terms, applications, named, findRpId };
}

export const importCommand = (call: Call): Promise<Outcome> =>
  withFile(call.id, (path) => importFile(call, path));

/** Imports a file of users. The checkpoint includes a row only after the audit log has accepted the line about the row. */
async function importFile(call: Call, path: string): Promise<Outcome> {
  const { ports, option, auditLog } = call;
  const file = auditLog ? option('checkpoint') : undefined;
  const shape = readShape(option);
  const pace = createPace(readCount('concurrency', option('concurrency') ?? CONCURRENCY, CONCURRENCY_MAX));
  const before = readCheckpoint(file);
  const skip = before.done;
  const tenant = await call.tenant();
  const terms = await readTerms(call, tenant);
  const notTaken = await requireNothingLost(readRows(path, shape), terms, {
    ignored: option('ignore')?.split(',') ?? [],
    isDryRun: !auditLog,
    isMapped: shape.format === 'csv' && shape.source === undefined,
  });
  const failures = failureLog(option('errors'));
  const stop = stopSignal();

  let of: string | undefined;
  const run = before.run ?? { id: auditLog?.requestId ?? '', since: nowSeconds() };
  let atEnd = false;
  const note = (done: number) => {
    if (file !== undefined && of !== undefined)
      writeCheckpoint(file, { done, of, ...(atEnd ? {} : { run }) });
  };
  // Save the checkpoint before the first user is created. Even after a crash, the next run then knows the ID of this run.
  const learn = (name: string) => {
    of = name;
    note(skip);
  };
  const progress = progressNotes(skip, note, pace.limit);
  let done = skip;
  const counts = await importUsers({
    rows: withCheckpointCheck(readRows(path, shape), tenant, { of: before.of, file, learn }),
    importRow: rowImporter(ports, tenant, {
      dryRun: !auditLog,
      pace,
      wait,
      terms,
      logUser: auditLog && createdUserLogger(auditLog, before, run),
    }),
    ...(auditLog ? { waitForAuditLog: auditLog.written } : {}),
    pace,
    skip,
    onFailure: failures.write,
    onProgress: progress.advance,
    isStopped: stop.isStopped,
  })
    .then((all) => {
      atEnd = true;
      return all;
    })
    .finally(() => {
      done = progress.end();
      failures.close();
      stop.forget();
    });
  return toResult(counts, { done, skip, notTaken, dryRun: !auditLog, stopped: stop.isStopped() });
}

function toResult(
  counts: ImportCounts,
  run: {
    readonly done: number;
    readonly skip: number;
    readonly notTaken: Readonly<Record<string, number>>;
    readonly dryRun: boolean;
    readonly stopped: boolean;
  },
): Outcome {
  const { done, skip, notTaken, dryRun, stopped } = run;
  const { created, existing, failed } = counts;
  const made = `${created} users created, ${existing} existed already.`;
  if (stopped)
    throw new RefusedError(
      `Stopped after row ${done}: ${failed} rows rejected, ${made} Run the command again to continue.`,
    );
  if (failed > 0) throw new RefusedError(`${failed} of ${done - skip} rows were rejected; ${made}`);
  return { record: { ...counts, skipped: skip, not_taken: notTaken, dry_run: dryRun } };
}
