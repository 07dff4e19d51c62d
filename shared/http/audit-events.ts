import { type CatalogueEntry, catalogue, type ErrorKey } from '../errors/catalogue.ts';
import type { AuditContext, Operation } from '../operation.ts';
import type { AuditEvent } from '../ports/audit.ts';

function successEvents(
  { audit, auditNeedsSession }: Operation,
  context: AuditContext,
): readonly AuditEvent[] {
  const told: readonly AuditEvent[] = context.told === 'admins' ? ['operator.acted'] : [];
  if (audit === undefined || (auditNeedsSession && context.sessionId === undefined)) return told;
  return [audit, ...told];
}

function failureEvents({ checksCredential }: Operation, result: ErrorKey): readonly AuditEvent[] {
  if (result === 'invalid_client') return ['client.refused'];
  const { failedLogin }: CatalogueEntry = catalogue[result];
  return checksCredential && failedLogin ? ['login.failed'] : [];
}

/** Returns the event of a sent or rejected message, if the message's user or address is known. */
function messageEvents({ sent, refusal, userId, recipientHash }: AuditContext): readonly AuditEvent[] {
  if (userId === undefined && recipientHash === undefined) return [];
  if (refusal !== undefined) return ['message.refused'];
  return sent === undefined ? [] : ['message.sent'];
}

/** Returns the security events of a request (ASVS V16): those implied by the operation and those that its use case reports. */
export function collectAuditEvents(
  row: Operation,
  context: AuditContext,
  errorKey: ErrorKey | undefined,
): readonly AuditEvent[] {
  const result = errorKey ?? context.result;
  const implied = result === undefined ? successEvents(row, context) : failureEvents(row, result);
  return [...new Set([...implied, ...(context.events ?? []), ...messageEvents(context)])];
}
