import { ServiceError } from '../../../shared/errors/service-error.ts';
import { RefusedError } from '../terminal/failure.ts';
import type { Row } from './rows.ts';
import { type ImportTerms, readImportedRow } from './taken-row.ts';

const MAP_HINT = '; or, if a column contains a field under another name, add --map <field>=<heading>';

/** Maximum number of distinct field names in a file. A file with more names is not an export of users. */
const NAMES_MAX = 500;

/**
 * Replaces the characters of a field name that are not safe: `--ignore` cannot contain commas, and control characters could
 * move the cursor.
 */
const toSafeName = (name: string): string => name.replace(/[^\w.:@/+-]/gu, '_').slice(0, 120);

/**
 * Returns the names of the row's fields that are not imported. Returns an empty list for rejected rows, which are reported
 * separately.
 */
function findNotTaken({ body, notTaken = [] }: Row, terms: ImportTerms): readonly string[] {
  try {
    return [...notTaken, ...readImportedRow(body, terms).notTaken];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

async function countNotTaken(
  rows: AsyncIterable<Row>,
  terms: ImportTerms,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const row of rows) {
    if (row.problem !== undefined) continue;
    for (const name of new Set(findNotTaken(row, terms).map(toSafeName)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size > NAMES_MAX)
      throw new RefusedError(`The rows have more than ${NAMES_MAX} fields that cannot be imported.`);
  }
  return counts;
}

/**
 * Reads all rows and counts, by field name, the rows with data that would not be imported.
 * @throws `RefusedError` if `--ignore` does not name such a field. A dry run only prints the message.
 */
export async function requireNothingLost(
  rows: AsyncIterable<Row>,
  terms: ImportTerms,
  {
    ignored,
    isDryRun,
    isMapped,
  }: { readonly ignored: readonly string[]; readonly isDryRun: boolean; readonly isMapped: boolean },
): Promise<Readonly<Record<string, number>>> {
  const counts = await countNotTaken(rows, terms);
  const lost = [...counts].filter(([name]) => !ignored.includes(name));
  if (lost.length > 0) {
    const names = lost.map(([name]) => name);
    const hint = terms.trusts ? '' : ' --trust-verified imports what the other system has verified.';
    const message = [
      `Not imported: ${lost.map(([name, count]) => `${name} (${count} rows)`).join(', ')}.${hint}`,
      `To import without them, add --ignore ${[...ignored, ...names].join(',')}${isMapped ? MAP_HINT : ''}`,
    ].join(' ');
    if (!isDryRun) throw new RefusedError(`Nothing was written. ${message}`);
    process.stderr.write(`${message}\n`);
  }
  return Object.fromEntries(counts);
}
