import { dates, type Fields } from './field.ts';

export const webhookFields = {
  webhookId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** ID of the application whose events are sent. Absent: events of the whole tenant. */
  applicationId: { kind: 'text', access: 'create', wire: 'app_id' },
  url: { kind: 'text', always: true, operators: 'guarded', called: true },
  /** Event types, or prefixes of types that end in `*`. Empty: all events. */
  events: { kind: 'texts', always: true, default: [] },
  enabled: { kind: 'flag', always: true, default: true, null: false, access: 'update' },
  /** Versions of the secret that sign, newest last. There are two while receivers switch to a new secret. */
  secretVersions: { kind: 'numbers', always: true, default: [1], access: 'none' },
  liveSecrets: { kind: 'number', always: true, access: 'answer' },
  /** Secret of the webhook, only in the answer that created it. */
  secret: { kind: 'text', access: 'answer' },
  ...dates,
} as const satisfies Fields;
