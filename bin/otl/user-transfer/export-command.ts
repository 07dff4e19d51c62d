import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { LIST_LIMIT_MAX } from '../../../shared/domain/basis/limits.ts';
import { toUserRecord, type UserRecord } from '../../../shared/domain/users/user-record.ts';
import type { Call } from '../engine/command.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { CSV_COLUMNS, LIST_SEPARATOR, plainCells, readFormat } from './rows.ts';

const EXPORT_COLUMNS = [
  'user_id',
  'status',
  ...CSV_COLUMNS,
  'email_verified',
  'phone_number_verified',
  'external_ids',
  'created_at',
];

function toCells(user: UserRecord): readonly (string | undefined)[] {
  const { external_ids: ids = [] } = user;
  const [only, ...others] = ids;
  const cells: Readonly<Record<string, string | undefined>> = {
    ...plainCells(user),
    user_id: user.user_id,
    status: user.status,
    email: user.email?.value,
    email_verified: user.email && String(user.email.email_verified),
    phone_number: user.phone_number?.value,
    phone_number_verified: user.phone_number && String(user.phone_number.phone_number_verified),
    external_user_id: user.external_user_id,
    external_application: only && others.length === 0 ? only.application : undefined,
    external_ids: ids.map(({ application, value }) => `${application}=${value}`).join(LIST_SEPARATOR),
    applications: user.applications.join(LIST_SEPARATOR),
    created_at: user.created_at,
  };
  return EXPORT_COLUMNS.map((name) => cells[name]);
}

/**
 * Formats a line of CSV. Cells that spreadsheets would run as formulas get a leading apostrophe (OWASP, CSV Injection), which
 * the import removes.
 */
const csvLine = (cells: readonly (string | undefined)[]) =>
  stringify([[...cells]], { escape_formulas: true });

async function write(output: Writable, text: string): Promise<void> {
  if (!output.write(text)) await once(output, 'drain');
}

/** Writes all users of the tenant page by page. If the output is read slowly, waits instead of buffering. */
export async function exportCommand({ ports, tenant, option }: Call): Promise<Outcome> {
  const format = readFormat(option('format'));
  const { tenantId } = await tenant();
  if (format === 'csv') await write(process.stdout, csvLine(EXPORT_COLUMNS));
  let cursor: string | undefined;
  let count = 0;
  do {
    const page = await ports.userRecords.list(tenantId, {
      limit: LIST_LIMIT_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const user of page.items) {
      const record = toUserRecord(user);
      await write(
        process.stdout,
        format === 'csv' ? csvLine(toCells(record)) : `${JSON.stringify(record)}\n`,
      );
    }
    count += page.items.length;
    cursor = page.nextCursor;
    if (process.stderr.isTTY) process.stderr.write(`\r${count} users `);
  } while (cursor !== undefined);
  return { done: `${count} users.` };
}
