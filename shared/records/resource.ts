import { dates, type Fields, flag, number, text } from './field.ts';
import { byLanguage } from './languages.ts';

export const sentenceFields = byLanguage(() => text);

/** Scope of a resource: a permission for this API that a token can contain (RFC 6749 §3.3). */
export const scopeFields = {
  name: { kind: 'text', always: true },
  /** Sentence that describes the scope on the consent page. */
  sentence: { kind: 'record', of: sentenceFields },
  /** True if the scope is granted when a request names no scope. */
  default: flag,
  /** Set to `mfa` if the scope requires a second factor. */
  acr: { kind: 'choice', of: ['mfa'] },
  /** Maximum age of the login in seconds when the scope is granted. */
  maxAge: number,
} as const satisfies Fields;

/** Resource: an API for which tokens are issued (SPEC "Resource record"). */
export const resourceFields = {
  resourceId: { kind: 'text', always: true, access: 'read' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  /** ID of the application that owns the resource. Undefined if the resource belongs to the whole tenant. */
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
