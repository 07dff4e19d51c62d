import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Change, Plan } from '../../../lib/operator/config/plan.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import type { ChangedField } from '../../../shared/records/changes.ts';
import type { Call, CommandGroup } from '../engine/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import type { Column, Outcome } from '../terminal/outcome.ts';
import { printForPeople } from '../terminal/print.ts';

/** Maximum size of a file in bytes, which is enough for about ten thousand records. */
const FILE_MAX_BYTES = 32 * 1024 * 1024;
/** Number of changes after which the command waits until the operator audit log has accepted their lines. */
const CHANGES_PER_WAIT = 50;

interface Row {
  readonly action: 'create' | 'change' | 'reserve' | 'keep';
  readonly kind: string;
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly fields?: readonly ChangedField[];
}

const describeField = ({ field, before, after }: ChangedField): string =>
  before === undefined && after === undefined ? field : `${field}: ${before ?? '-'} → ${after ?? '-'}`;

const columns: readonly Column<Row>[] = [
  { heading: 'ACTION', text: ({ action }) => (action === 'keep' ? 'not in the file' : action) },
  { heading: 'KIND', text: ({ kind }) => kind },
  { heading: 'ID', text: ({ id }) => id },
  { heading: 'NAME', text: ({ name }) => name, flexible: true, wraps: true },
  {
    heading: 'CHANGES',
    text: ({ action, fields = [] }) => (action === 'change' ? fields.map(describeField).join('; ') : ''),
    flexible: true,
    wraps: true,
  },
];

/**
 * Reads a file, or standard input for `-`.
 * @throws `UsageError` if the file cannot be read; `RefusedError` if it is too large or not UTF-8
 */
async function readFile(path: string): Promise<string> {
  const stream = path === '-' ? process.stdin : createReadStream(path);
  let bytes = 0;
  stream.on('data', (chunk: Buffer | string) => {
    bytes += chunk.length;
    if (bytes > FILE_MAX_BYTES)
      stream.destroy(new RefusedError(`The file is larger than ${FILE_MAX_BYTES} bytes.`));
  });
  const content = await buffer(stream).catch((error: unknown) => {
    throw error instanceof RefusedError ? error : new UsageError(`The file ${path} cannot be read.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new RefusedError('The file is not UTF-8.');
  }
}

async function makePlan({ ports, id, localExceptions, es256 }: Call): Promise<Plan> {
  const { planChanges } = await import('../../../lib/operator/config/plan.ts');
  const terms = { at: nowSeconds(), environment: { ...localExceptions, es256 } };
  return planChanges(ports, await readFile(id), terms);
}

const toRow =
  (nameOf: (record: Change['next']) => string) =>
  (change: Change): Row => ({
    action: change.current ? 'change' : 'create',
    kind: change.kind.name,
    id: change.id,
    tenant_id: change.tenantId,
    name: nameOf(change.next),
    fields: change.fields,
  });

/** Describes the difference between the file and the environment, and lists the steps that remain after the file is applied. */
async function describePlan(
  plan: Plan,
): Promise<{ readonly rows: readonly Row[]; readonly steps: readonly string[] }> {
  const { listRemainingSteps, nameOf } = await import('../../../lib/operator/config/plan.ts');
  const rows: readonly Row[] = [
    ...plan.changes.map(toRow(nameOf)),
    ...plan.hosts.map(
      ({ host, tenantId }) =>
        ({ action: 'reserve', kind: 'host', id: host, tenant_id: tenantId, name: '' }) as const,
    ),
    ...plan.kept.map(
      ({ kind, id, tenantId, name }) => ({ action: 'keep', kind, id, tenant_id: tenantId, name }) as const,
    ),
  ];
  return { rows, steps: listRemainingSteps(plan) };
}

const toNote = (steps: readonly string[]) =>
  steps.length === 0
    ? {}
    : {
        note: `A file contains no secrets and no personal data. Afterwards, create anew:\n  ${steps.join('\n  ')}`,
      };

/** Writes the changes of a plan, with an audit line for each changed record. */
async function write({ ports, auditLog }: Call, plan: Plan): Promise<void> {
  const { applyPlan } = await import('../../../lib/operator/config/apply-plan.ts');
  await applyPlan(ports, plan, async ({ kind, tenantId, id, fields }, position) => {
    if (!auditLog) return;
    const row = { requestId: auditLog.requestId, row: position + 1 };
    const changes = fields.length > 0 ? { changes: JSON.stringify(fields) } : {};
    const context = { tenantId, recordId: id, recordKind: kind.name, ...changes };
    auditLog.addRow(row, 'ok', context, ['management.changed']);
    if ((position + 1) % CHANGES_PER_WAIT === 0) await auditLog.written();
  });
}

/**
 * Applies a configuration file, after the operator has confirmed the difference.
 * @throws `UsageError`, `RefusedError`; `system_invalid_input` for a value that the file or the environment does not allow
 */
async function apply(call: Call): Promise<Outcome> {
  const plan = await makePlan(call);
  const { rows, steps } = await describePlan(plan);
  const difference = { list: { result: rows }, columns, ...toNote(steps) };
  if (!call.auditLog) return difference;
  const aside = (text: string) => void process.stderr.write(text);
  printForPeople(difference, { write: aside, columns: process.stderr.columns, colours: false }, aside);
  const deciding = plan.changes.filter(({ decides }) => decides).length + plan.hosts.length;
  if (deciding > 0 && call.option('yes') === undefined)
    await confirm(
      `Apply ${deciding} changes that decide who can log in, what callers may do, or where data is sent`,
    );
  await write(call, plan);
  const { changes, unchanged, kept, hosts } = plan;
  const created = changes.filter(({ current }) => !current).length;
  const record = {
    ...{ created, changed: changes.length - created, unchanged },
    ...{ hosts_reserved: hosts.length, not_in_file: kept.length, create_anew: steps },
  };
  return { record };
}

export const config: CommandGroup = {
  name: 'config',
  summary: 'settings of all tenants as one file',
  ofNoTenant: true,
  about: () => ({}),
  commands: [
    {
      verb: 'export',
      summary:
        'Prints the settings of all tenants as JSON, with IDs, hashes of secrets and public keys, but without users',
      examples: ['> config.json'],
      async run({ ports }) {
        const { exportSettings } = await import('../../../lib/operator/config/export-settings.ts');
        const file = await exportSettings(ports);
        process.stdout.write(`${JSON.stringify(file, null, 2)}\n`);
        return {
          done: 'The file contains hashes of secrets and URLs of webhooks. Store it as you store backups.',
        };
      },
    },
    {
      verb: 'apply',
      summary: 'Creates and changes records until they equal those of a file; deletes no record',
      changes: 'own-events',
      id: 'required',
      idHelp: 'file of otl config export; - for standard input',
      options: {
        'dry-run': 'print the difference and change nothing',
        yes: 'skip the confirmation',
      },
      examples: ['config.json --dry-run', 'config.json --yes'],
      run: apply,
    },
  ],
};
