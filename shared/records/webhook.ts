import { dates, type Fields } from './field.ts';

export const webhookFields = {
  webhookId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** ID of the application whose events are sent. Undefined to send the events of the whole tenant. */
  applicationId: { kind: 'text', access: 'create', wire: 'app_id' },
  url: { kind: 'text', always: true, operators: 'guarded', called: true },
  /** Types of the events to send. An entry that ends in `*` is a prefix. If empty, all events are sent. */
  events: { kind: 'texts', always: true, default: [] },
  enabled: { kind: 'flag', always: true, default: true, null: false, access: 'update' },
  /** Versions of the signing secrets, newest last. There are two versions while receivers switch to a new secret. */
  secretVersions: { kind: 'numbers', always: true, default: [1], access: 'none', exported: false },
  liveSecrets: { kind: 'number', always: true, access: 'answer' },
  /** Secret of the webhook. Returned only by the request that creates the secret. */
  secret: { kind: 'text', access: 'answer' },
  ...dates,
} as const satisfies Fields;
