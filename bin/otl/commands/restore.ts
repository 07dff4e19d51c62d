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

function sampleOf({ option }: Call): number {
  const given = option('sample');
  const sample = given === undefined ? SAMPLE : Number(given);
  if (!Number.isInteger(sample) || sample < 1)
    throw new UsageError('--sample must be a whole number from 1 on.');
  return sample;
}

/** Errors: `RefusedError` that names each failed check. */
async function check(call: Call) {
  const [table, name] = [call.option('of'), call.option('table') ?? ''];
  if (table !== 'directory' && table !== 'people')
    throw new UsageError('--of must be directory or people: flows is not in backups.');
  const sample = sampleOf(call);
  const { ports, settings } = call.restored(table, name);
  const content =
    table === 'directory'
      ? await checkDirectory(call.ports, ports, sample)
      : await checkPeople(call.ports, ports, sample);
  const checks = [...(await settings()), ...content];
  const wrong = checks.filter(({ ok }) => !ok);
  if (wrong.length > 0)
    throw new RefusedError(
      wrong.map((each) => `It is not so that ${each.name} (${each.found}).`).join('\notl: '),
    );
  return { list: { result: checks }, columns: columns as readonly Column<never>[] };
}

/** Errors: `RefusedError` for a table that has items, unless the copy is made again. */
async function copy(call: Call) {
  const [table, to = ''] = [call.option('of'), call.option('to')];
  if (table !== 'directory' && table !== 'people' && table !== 'flows')
    throw new UsageError('--of must be directory, people or flows.');
  const from = call.tableNameOf(table);
  if (from === to) throw new UsageError('--to must be another table.');
  const { copyTable, isEmpty } = await import('../../../lib/operator/restore/copy-table.ts');
  if (call.option('again') === undefined && !(await isEmpty(to)))
    throw new RefusedError(
      `${to} is not empty. --again makes a copy whole that was cut off, and removes all else.`,
    );
  return { record: await copyTable(from, to) };
}

export const restore: CommandGroup = {
  name: 'restore',
  summary: 'tables that point-in-time recovery has made',
  commands: [
    {
      verb: 'check',
      summary: 'Reads a restored table with the stores of the service, and looks at its settings in AWS',
      required: {
        'of <table>': 'which table it is a copy of: directory or people',
        'table <name>': 'its name',
      },
      options: { 'sample <number>': `how many records of a kind are read at most (default: ${SAMPLE})` },
      examples: ['--of people --table otl-eu-people-restored'],
      run: check,
    },
    {
      verb: 'copy',
      summary: 'Copies the table in use into an empty one, while nothing writes to either',
      required: {
        'of <table>': 'which table: directory, people or flows',
        'to <name>': 'the name of the other table',
      },
      options: { again: 'make a copy whole that was cut off' },
      changes: 'management.changed',
      examples: ['--of people --to otl-eu-people-new'],
      run: copy,
    },
  ],
};
