import type { Page, PageRequest } from './directory.ts';

/** Work that a request has begun, or that waits for its time. */
export interface Job {
  readonly jobId: string;
  readonly kind: 'erase-user' | 'unlock-user' | 'delete-organization' | 'delete-application';
  readonly tenantId: string;
  /** The ID of the user, organization or application. */
  readonly subjectId: string;
  readonly dueAt: number;
  /** How many applications, members or clients are done. */
  readonly done: number;
  /** Behind these. Absent: at the beginning. */
  readonly cursor?: string;
}

/** The record of its subject says whether a job still holds. */
export interface Jobs {
  /** Before that record is written, else a crash would leave work that nothing ends. One that is there keeps its progress. */
  put(job: Job): Promise<Job>;
  /** No job comes back that has ended meanwhile. */
  note(job: Job, progress: Pick<Job, 'done' | 'cursor'>): Promise<void>;
  /** Of all tenants, those that are due earliest first. Found by a list: see there. */
  list(page: PageRequest): Promise<Page<Job>>;
  /** False when it was not there. */
  remove(job: Pick<Job, 'subjectId' | 'jobId'>): Promise<boolean>;
}
