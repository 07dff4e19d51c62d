import { dates, type Fields } from './field.ts';

export const webhookFields = {
  webhookId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** Absent: events of the whole tenant. */
  applicationId: { kind: 'text', access: 'create', wire: 'app_id' },
  url: { kind: 'text', always: true, operators: 'guarded', called: true },
  /** Types, or beginnings of types that end in `*`; empty: all. */
  events: { kind: 'texts', always: true, default: [] },
  enabled: { kind: 'flag', always: true, default: true, null: false, access: 'update' },
  /** The versions of its secret that sign, newest last: two while receivers change over. */
  secretVersions: { kind: 'numbers', always: true, default: [1], access: 'none' },
  liveSecrets: { kind: 'number', always: true, access: 'answer' },
  /** Only in the answer that made it. */
  secret: { kind: 'text', access: 'answer' },
  ...dates,
} as const satisfies Fields;
