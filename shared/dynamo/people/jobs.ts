import type { Job, Jobs } from '../../ports/jobs.ts';
import { codec, number, oneOf, optional, text } from '../codec.ts';
import { jobKey, listPartitions, listSort } from '../keys.ts';
import type { Table } from '../table.ts';

const jobItem = codec<Job>({
  jobId: text('job_id'),
  kind: oneOf('kind', ['erase-user', 'unlock-user', 'delete-organization', 'delete-application']),
  tenantId: text('tenant_id'),
  subjectId: text('subject_id'),
  dueAt: number('due_at'),
  done: number('done'),
  cursor: optional(text('cursor')),
});

/** Creates the store of jobs. All tenants share one list, ordered by due time. */
export function jobs(table: Table): Jobs {
  return {
    async put(job) {
      const { done, cursor: _, ...begun } = jobItem.toAttributes(job);
      const item = await table.update(jobKey(job), {
        set: { ...begun, list_pk: listPartitions.jobs(), list_sk: listSort(job.dueAt, job.jobId) },
        compute: ['#done = if_not_exists(#done, :done)'],
        values: { done },
      });
      return item ? jobItem.read(item) : job;
    },

    async note(job, { done, cursor }) {
      await table.change(jobKey(job), { condition: 'attribute_exists(#pk)', set: { done, cursor } });
    },

    async list(page) {
      const { items, ...rest } = await table.queryIndex(listPartitions.jobs(), page);
      return { items: items.map(jobItem.read), ...rest };
    },

    remove: (job) => table.remove(jobKey(job)),
  };
}
