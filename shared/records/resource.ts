import { dates, type Fields, text } from './field.ts';

/** SPEC "Resource record". */
export const resourceFields = {
  resourceId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** The application that owns it; absent when it belongs to the tenant. */
  applicationId: { kind: 'text', access: 'none' },
  name: { kind: 'text', always: true },
  description: text,
  uri: { kind: 'text', always: true },
  accessTokenSeconds: { kind: 'number', always: true, wire: 'access_token_ttl' },
  refreshTokenSeconds: { kind: 'number', always: true, wire: 'refresh_token_ttl' },
  maxRefreshRotateSeconds: { kind: 'number', always: true, wire: 'max_refresh_rotate' },
  ...dates,
} as const satisfies Fields;
