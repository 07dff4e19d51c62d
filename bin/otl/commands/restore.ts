import { type Check, checkDirectory, checkPeople } from '../../../shared/domain/management/restore-check.ts';
import type { Call, CommandGroup } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import type { Column } from '../terminal/outcome.ts';

const SAMPLE = 1000;

const columns: readonly Column<Check>[] = [
  { heading: 'CHECK', text: (check) => check.name },
  { heading: 'OK', text: (check) => (check.ok ? 'yes' : 'NO') },
  { heading: 'FOUND', text: (check) => check.found, flexible: true },
];

function readSample({ option }: Call): number {
  const given = option('sample');
  const sample = given === undefined ? SAMPLE : Number(given);
  if (!Number.isInteger(sample) || sample < 1)
    throw new UsageError('--sample must be a whole number of at least 1.');
  return sample;
}

/**
 * Checks a restored table: its settings in AWS and a sample of its records.
 * @throws `RefusedError` that names each failed check
 */
async function check(call: Call) {
  const [table, name] = [call.option('of'), call.option('table') ?? ''];
  if (table !== 'directory' && table !== 'people')
    throw new UsageError('--of must be directory or people: flows is not in backups.');
  const sample = readSample(call);
  const { ports, settings } = call.restored(table, name);
  const content =
    table === 'directory'
      ? await checkDirectory(call.ports, ports, sample)
      : await checkPeople(call.ports, ports, sample);
  const checks = [...(await settings()), ...content];
  const wrong = checks.filter(({ ok }) => !ok);
  if (wrong.length > 0)
    throw new RefusedError(
      wrong.map((each) => `Check failed: ${each.name} (${each.found}).`).join('\notl: '),
    );
  return { list: { result: checks }, columns };
}

/**
 * Copies the table in use to another table.
 * @throws `RefusedError` if the other table has items and `--again` is not given
 */
async function copy(call: Call) {
  const [table, to = ''] = [call.option('of'), call.option('to')];
  if (table !== 'directory' && table !== 'people' && table !== 'flows')
    throw new UsageError('--of must be directory, people or flows.');
  const from = call.toTableName(table);
  if (from === to) throw new UsageError('--to must be another table.');
  const { copyTable, isEmpty } = await import('../../../lib/operator/restore/copy-table.ts');
  if (call.option('again') === undefined && !(await isEmpty(to)))
    throw new RefusedError(
      `${to} is not empty. Add --again to complete an interrupted copy. It deletes all items that are not in the table in use.`,
    );
  return { record: await copyTable(from, to) };
}

/** Starts restoring a table from the newest suitable copy in the vault. Throws `RefusedError` if the vault has no such copy. */
async function vault({ option, fromVault }: Call) {
  const [of, to = '', before, from] = [option('of'), option('to'), option('before'), option('vault')];
  if (of !== 'directory' && of !== 'people')
    throw new UsageError('--of must be directory or people: flows is not in the vault.');
  const until = before === undefined ? undefined : Date.parse(before) / 1000;
  if (Number.isNaN(until)) throw new UsageError('--before must be a time such as 2026-11-21T10:00:00Z.');
  const started = await fromVault({
    of,
    to,
    ...(until !== undefined && { until }),
    ...(from !== undefined && { vault: from }),
  });
  if (!started)
    throw new RefusedError(
      `The vault has no copy of ${of}${before === undefined ? '' : ` from before ${before}`}.`,
    );
  return { record: started };
}

export const restore: CommandGroup = {
  name: 'restore',
  summary: 'tables restored by point-in-time recovery or from the vault',
  ofNoTenant: true,
  commands: [
    {
      verb: 'check',
      summary: 'Reads records of a restored table as the service does, and checks its settings in AWS',
      required: {
        'of <table>': 'table that was restored: directory or people',
        'table <name>': 'name of the restored table',
      },
      options: { 'sample <number>': `maximum number of records read of each kind (default: ${SAMPLE})` },
      examples: ['--of people --table otl-eu-people-restored'],
      run: check,
    },
    {
      verb: 'copy',
      summary: 'Copies the table in use into an empty one, while nothing writes to either',
      required: {
        'of <table>': 'table to copy: directory, people or flows',
        'to <name>': 'name of the empty table',
      },
      options: { again: 'complete an interrupted copy' },
      changes: 'management.changed',
      examples: ['--of people --to otl-eu-people-new'],
      run: copy,
    },
    {
      verb: 'vault',
      summary:
        'Restores the newest copy in the vault to a new table, with the role of the vault; takes minutes to hours',
      required: {
        'of <table>': 'table to restore: directory or people',
        'to <name>': 'name of the new table',
      },
      options: {
        'before <time>': 'use the newest copy that was started before this time (RFC 3339)',
        'vault <name>': "name of another vault in the environment's region, such as that of second copies",
      },
      changes: 'management.changed',
      examples: ['--of people --to otl-eu-people-restored'],
      run: vault,
    },
  ],
};
