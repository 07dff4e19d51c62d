import { toWireDate } from '../../../shared/domain/basis/time.ts';
import type { Job } from '../../../shared/ports/jobs.ts';
import type { CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { makeColumns } from '../terminal/print.ts';

const jobRecord = ({ kind, tenantId, subjectId, done, dueAt }: Job) => ({
  kind,
  tenant_id: tenantId,
  subject_id: subjectId,
  done,
  due_at: toWireDate(dueAt),
});

const columns = makeColumns<ReturnType<typeof jobRecord>>(
  'kind',
  'tenant_id',
  'subject_id',
  'done',
  'due_at',
);

export const jobs: CommandGroup = {
  name: 'jobs',
  summary: 'background work that continues after its request, and accounts that will be erased',
  ofNoTenant: true,
  commands: [
    {
      verb: 'list',
      summary:
        'Lists the jobs of all tenants, next due first, with the number of applications, members or clients that are done',
      isDefault: true,
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, page }) => listOutcome(await ports.jobs.list(page), jobRecord, columns),
    },
  ],
};
