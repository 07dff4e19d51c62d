import { dates, type Fields, flag, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

export const sentenceFields = byLanguage(() => text);

/** Scope: what a token may do at a resource (RFC 6749 §3.3). */
export const scopeFields = {
  name: { kind: 'text', always: true },
  /** Sentence that a user reads when asked to grant the scope. */
  sentence: { kind: 'record', of: sentenceFields },
  /** True if the scope is granted when a request names no scope. */
  default: flag,
  /** `mfa` if the scope requires a second factor. */
  acr: { kind: 'choice', of: ['mfa'] },
  /** Maximum age in seconds of the login that the scope requires. */
  maxAge: number,
} as const satisfies Fields;

/** Resource: an API that tokens are issued for (SPEC "Resource record"). */
export const resourceFields = {
  resourceId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** ID of the application that owns the resource. Absent: it belongs to the tenant. */
  applicationId: { kind: 'text', access: 'none' },
  name: { kind: 'text', always: true },
  description: text,
  uri: { kind: 'text', always: true },
  scopes: { kind: 'records', of: scopeFields },
  accessTokenSeconds: { kind: 'number', always: true, wire: 'access_token_ttl' },
  refreshTokenSeconds: { kind: 'number', always: true, wire: 'refresh_token_ttl' },
  maxRefreshRotateSeconds: { kind: 'number', always: true, wire: 'max_refresh_rotate' },
  ...dates,
} as const satisfies Fields;
