import type { ErrorKey } from '../errors/catalogue.ts';
import type { AuditEvent, AuditNote, Operation } from '../operation.ts';

/** Which security-relevant events a request was (ASVS V16): what its line in the log says under `audit`. */

/** What it means that an operation went well, by its entry. */
const DONE: Readonly<Record<string, AuditEvent>> = {
  'one-time/authenticate-magic-link': 'login.succeeded',
  'one-time/authenticate-otp': 'login.succeeded',
  'passkeys/authenticate': 'login.succeeded',
  'approvals/authenticate': 'login.succeeded',
  'tokens/retrieve-tokens': 'login.succeeded',
  'tokens/revocation': 'token.revoked',
  'sessions/logout': 'session.ended',
  'sessions/logout-session': 'session.ended',
  'sessions/end-sessions': 'session.ended',
  'users/create-user': 'user.created',
  'users/update-user': 'user.updated',
  'users/delete-user': 'user.erased',
  'users/set-phone-risk': 'user.phone_risk_set',
  'users/unlock-user': 'user.unlocked',
  'passkeys/register': 'passkey.added',
  'passkeys/register-external': 'passkey.added',
  'passkeys/delete': 'passkey.removed',
  'approvals/create-device-key': 'device_key.added',
  'approvals/delete-device-key': 'device_key.removed',
};

/** The same for operations that answer alike whether something has ended or not: only a session in the note tells. */
const ENDED_SESSION = /^sessions\/logout-(?:page|by-post)$/;

/** Whatever changes a record here is a change of management. */
const MANAGEMENT = /^(?:management|organizations|resources|webhooks)\//;

/** Operations that take a credential of a person, beside those that are a login when they go well. */
const STEPS =
  /^(?:browser\/login-(?:act|passkey)|social\/callback|code-based\/(?:open-link|validate-(?:email|sms)-otp))$/;

const takesCredential = ({ entry }: Operation) => STEPS.test(entry) || DONE[entry] === 'login.succeeded';

/** Refusals of a credential or of the person, not of a malformed request. */
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

function ofSuccess(row: Operation, note: AuditNote): readonly AuditEvent[] {
  const done = DONE[row.entry];
  if (done !== undefined) return [done];
  if (ENDED_SESSION.test(row.entry)) return note.sessionId === undefined ? [] : ['session.ended'];
  const changes = ![row.method].flat().every((method) => method === 'GET');
  return changes && MANAGEMENT.test(row.entry) ? ['management.changed'] : [];
}

function ofFailure(row: Operation, result: ErrorKey): readonly AuditEvent[] {
  if (result === 'invalid_client') return ['client.refused'];
  return takesCredential(row) && FAILURES.has(result) ? ['login.failed'] : [];
}

/** What the operation itself has noted, and what its row and result say. */
export function auditEventsOf(
  row: Operation,
  note: AuditNote,
  errorKey: ErrorKey | undefined,
): readonly AuditEvent[] {
  const result = errorKey ?? note.result;
  const implied = result === undefined ? ofSuccess(row, note) : ofFailure(row, result);
  return [...new Set([...implied, ...(note.events ?? [])])];
}
