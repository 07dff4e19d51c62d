import type { ErrorKey } from '../errors/catalogue.ts';
import type { AuditContext, Operation } from '../operation.ts';
import type { AuditEvent } from '../ports/audit.ts';

/** Refusals of a credential or of its owner, not of a malformed request. */
const FAILURES: ReadonlySet<ErrorKey> = new Set<ErrorKey>([
  'approval_invalid',
  'auth_invalid_credentials',
  'auth_locked',
  'auth_otp_passcode_expired',
  'invalid_grant',
  'magic_link_code_invalid',
  'passkey_invalid',
  'provider_address_taken',
  'provider_failed',
  'user_not_active',
]);

function ofSuccess({ audit, auditNeedsSession }: Operation, note: AuditContext): readonly AuditEvent[] {
  if (audit === undefined || (auditNeedsSession && note.sessionId === undefined)) return [];
  return [audit];
}

function ofFailure({ takesCredential }: Operation, result: ErrorKey): readonly AuditEvent[] {
  if (result === 'invalid_client') return ['client.refused'];
  return takesCredential && FAILURES.has(result) ? ['login.failed'] : [];
}

/** The security events that a request was (ASVS V16): those that its row tells, and those that the use case noted. */
export function auditEventsOf(
  row: Operation,
  note: AuditContext,
  errorKey: ErrorKey | undefined,
): readonly AuditEvent[] {
  const result = errorKey ?? note.result;
  const implied = result === undefined ? ofSuccess(row, note) : ofFailure(row, result);
  return [...new Set([...implied, ...(note.events ?? [])])];
}
