import { dates, type Fields, flag, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

export const sentenceFields = byLanguage(() => text);

/** What a token may do at a resource (RFC 6749 §3.3). */
export const scopeFields = {
  name: { kind: 'text', always: true },
  /** What a person reads who is asked for it. */
  sentence: { kind: 'record', of: sentenceFields },
  /** Granted where a request names no scope. */
  default: flag,
  /** It takes a second factor. */
  acr: { kind: 'choice', of: ['mfa'] },
  /** In seconds: it takes a login that is no older. */
  maxAge: number,
} as const satisfies Fields;

/** SPEC "Resource record". */
export const resourceFields = {
  resourceId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** The application that owns it; absent when it belongs to the tenant. */
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
