import type { Page, PageRequest } from './directory.ts';

/** Background work that a request has started or scheduled. */
export interface Job {
  readonly jobId: string;
  readonly kind: 'erase-user' | 'unlock-user' | 'delete-organization' | 'delete-application';
  readonly tenantId: string;
  /** ID of the user, organization or application that the job is about. */
  readonly subjectId: string;
  readonly dueAt: number;
  /** Number of applications, members or clients that have been processed. */
  readonly done: number;
  /** Position after the last item that was processed. Undefined at the beginning. */
  readonly cursor?: string;
}

/** Background jobs. The record of a job's subject, such as a user, shows whether the job is still valid. */
export interface Jobs {
  /**
   * Stores a job. Must be called before the subject's record is written: after a crash in between, the job can still finish the
   * work. An existing job keeps its progress.
   */
  put(job: Job): Promise<Job>;
  /** Records the progress of a job. Does not recreate a job that has ended in the meantime. */
  note(job: Job, progress: Pick<Job, 'done' | 'cursor'>): Promise<void>;
  /** Lists the jobs of all tenants, earliest due time first. The read is eventually consistent. */
  list(page: PageRequest): Promise<Page<Job>>;
  /** Removes a job. Returns false if it does not exist. */
  remove(job: Pick<Job, 'subjectId' | 'jobId'>): Promise<boolean>;
}
