import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { blankUser, createUser } from '../../../shared/domain/create-user.ts';
import { requireUserByIdentifier } from '../../../shared/domain/find-user.ts';
import { carries, identifiersOf } from '../../../shared/domain/identifier.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { withFields } from '../../../shared/domain/user-fields.ts';
import { catalogue } from '../../../shared/errors/catalogue.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import { CreateUserBody } from '../../../shared/schemas/users.ts';
import type { Call, Outcome } from '../command.ts';
import { RefusedError, UsageError } from '../failure.ts';
import type { OperatorPorts } from '../place.ts';
import { type ImportCounts, importUsers, RefusedRow, type RowOutcome } from './import.ts';
import { readFormat, readMapping, readRows } from './rows.ts';

const CONCURRENCY = 10;
const CONCURRENCY_MAX = 100;
/** Rows between two notes of how far the import is. */
const CHECKPOINT_ROWS = 500;

/** Whether all names of the row lead to one user already: an earlier run has made it. */
async function exists(ports: OperatorPorts, tenant: Tenant, body: unknown): Promise<boolean> {
  const wanted = identifiersOf(withFields(blankUser(tenant, 'new', 0), check(CreateUserBody, body), 0));
  const [first] = wanted;
  if (!first) return false;
  const user = await requireUserByIdentifier(ports, tenant, first.type, first.value).catch(() => undefined);
  return user !== undefined && wanted.every((identifier) => carries(user, identifier));
}

/** A refusal by the rules concerns the row; a table that does not answer concerns everything. */
function orRefused(error: unknown): unknown {
  const temporary = error instanceof ServiceError && catalogue[error.key].status >= 500;
  if (!(error instanceof ServiceError) || temporary) return error;
  return new RefusedRow(
    error.detail.messages?.join('; ') ?? error.detail.message ?? catalogue[error.key].message,
  );
}

function rowImporter(ports: OperatorPorts, tenant: Tenant, dryRun: boolean) {
  return async (body: unknown): Promise<RowOutcome> => {
    try {
      const fields = check(CreateUserBody, body);
      if (!dryRun) await createUser(ports, tenant, fields);
      else if (await exists(ports, tenant, body)) return 'existing';
      else withFields(blankUser(tenant, 'new', nowSeconds()), fields, nowSeconds());
      return 'created';
    } catch (error) {
      const taken = error instanceof ServiceError && error.key === 'identifier_taken';
      if (taken && (await exists(ports, tenant, body))) return 'existing';
      throw orRefused(error);
    }
  };
}

function readConcurrency(given: string | undefined): number {
  const number = Number(given ?? CONCURRENCY);
  if (!Number.isInteger(number) || number < 1 || number > CONCURRENCY_MAX)
    throw new UsageError(`--concurrency must be a number from 1 to ${CONCURRENCY_MAX}.`);
  return number;
}

function readCheckpoint(file: string | undefined): number {
  if (file === undefined || !existsSync(file)) return 0;
  const done = Number((JSON.parse(readFileSync(file, 'utf8')) as { readonly done?: unknown }).done);
  if (!Number.isInteger(done) || done < 0) throw new UsageError(`${file} is no checkpoint of an import.`);
  return done;
}

/** Whole or not at all, whenever the process ends. */
function writeCheckpoint(file: string, done: number): void {
  writeFileSync(`${file}.new`, JSON.stringify({ done }));
  renameSync(`${file}.new`, file);
}

function showProgress(done: number, { created, existing, failed }: ImportCounts): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${done} rows: ${created} made, ${existing} there already, ${failed} refused `);
}

/** Where refused rows are told, one JSON line each; the input of one run overwrites nothing of the run before. */
function failureLog(file: string | undefined) {
  const stream = file === undefined ? process.stderr : createWriteStream(file, { flags: 'a' });
  return {
    async write(row: number, message: string): Promise<void> {
      if (!stream.write(`${JSON.stringify({ row, message })}\n`)) await once(stream, 'drain');
    },
    async close(): Promise<void> {
      if (file === undefined) return;
      stream.end();
      await once(stream, 'finish');
    },
  };
}

export async function importCommand({ ports, tenant, id: file, option }: Call): Promise<Outcome> {
  const dryRun = option('dryRun') !== undefined;
  const checkpoint = dryRun ? undefined : option('checkpoint');
  const rows = readRows(file, readFormat(option('format')), readMapping(option('map')?.split(',') ?? []));
  const failures = failureLog(option('errors'));
  const skip = readCheckpoint(checkpoint);
  let noted = skip;
  const counts = await importUsers({
    rows,
    importRow: rowImporter(ports, await tenant(), dryRun),
    concurrency: readConcurrency(option('concurrency')),
    skip,
    onFailure: failures.write,
    async onProgress(done, soFar) {
      if (done - noted < CHECKPOINT_ROWS) return;
      noted = done;
      if (checkpoint !== undefined) writeCheckpoint(checkpoint, done);
      showProgress(done, soFar);
    },
  }).finally(failures.close);
  const done = counts.created + counts.existing + counts.failed + skip;
  if (checkpoint !== undefined) writeCheckpoint(checkpoint, done);
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (counts.failed > 0)
    throw new RefusedError(
      `${counts.failed} of ${done - skip} rows were refused; ${counts.created} users made, ${counts.existing} were there already.`,
    );
  return { record: { ...counts, skipped: skip, dry_run: dryRun } };
}
