import { wireDate } from '../../../shared/domain/basis/time.ts';
import type { Job } from '../../../shared/ports/jobs.ts';
import type { CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const jobRecord = ({ kind, tenantId, subjectId, done, dueAt }: Job) => ({
  kind,
  tenant_id: tenantId,
  subject_id: subjectId,
  done,
  due_at: wireDate(dueAt),
});

const columns = columnsOf<ReturnType<typeof jobRecord>>('kind', 'tenant_id', 'subject_id', 'done', 'due_at');

export const jobs: CommandGroup = {
  name: 'jobs',
  summary: 'work that goes on after its request, and accounts that are to be erased',
  ofNoTenant: true,
  commands: [
    {
      verb: 'list',
      summary:
        'Lists jobs of all tenants, the next one first: whose, and how many applications, members or clients are done',
      isDefault: true,
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, page }) => listOutcome(await ports.jobs.list(page), jobRecord, columns),
    },
  ],
};
