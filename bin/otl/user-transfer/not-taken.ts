import { ServiceError } from '../../../shared/errors/service-error.ts';
import { RefusedError } from '../terminal/failure.ts';
import type { Row } from './rows.ts';
import { type Terms, takeRow } from './taken-row.ts';

const MAP_HINT = '; or, if a column holds a field under another name, --map <field>=<heading>';

/** Names come from the file; more are no export of users. */
const NAMES_MAX = 500;

/** Without what could move the operator's cursor, and with a comma it could not be ignored. */
const plain = (name: string): string => name.replace(/[^\w.:@/+-]/gu, '_').slice(0, 120);

/** A row that is refused loses nothing in silence. */
function leftOf({ body, left = [] }: Row, terms: Terms): readonly string[] {
  try {
    return [...left, ...takeRow(body, terms).left];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

async function countLeft(rows: AsyncIterable<Row>, terms: Terms): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const row of rows) {
    if (row.problem !== undefined) continue;
    for (const name of new Set(leftOf(row, terms).map(plain))) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size > NAMES_MAX)
      throw new RefusedError(`The rows have more than ${NAMES_MAX} fields that are not taken.`);
  }
  return counts;
}

/**
 * Reads all rows and counts those that have something which is not taken, by its name.
 * Errors: `RefusedError` where the operator does not ignore it; a dry run says so and goes on.
 */
export async function requireNothingLost(
  rows: AsyncIterable<Row>,
  terms: Terms,
  {
    ignored,
    isDryRun,
    isMapped,
  }: { readonly ignored: readonly string[]; readonly isDryRun: boolean; readonly isMapped: boolean },
): Promise<Readonly<Record<string, number>>> {
  const counts = await countLeft(rows, terms);
  const lost = [...counts].filter(([name]) => !ignored.includes(name));
  if (lost.length > 0) {
    const names = lost.map(([name]) => name);
    const hint = terms.trusts ? '' : ' --trust-verified takes what the other system has proven.';
    const message = [
      `Not taken: ${lost.map(([name, count]) => `${name} (${count} rows)`).join(', ')}.${hint}`,
      `Without them: --ignore ${[...ignored, ...names].join(',')}${isMapped ? MAP_HINT : ''}`,
    ].join(' ');
    if (!isDryRun) throw new RefusedError(`Nothing was written. ${message}`);
    process.stderr.write(`${message}\n`);
  }
  return Object.fromEntries(counts);
}
