import { readCode } from '../../shared/domain/oauth/authorization-code.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Using } from '../../shared/ports/uses.ts';

/** The code of section C that was opened, alive or not. */
export async function findCode(
  ports: Using<'codes.find'>,
  code: string,
  audit: (note: AuditContext) => void,
): Promise<AuthorizationCode | undefined> {
  const record = await readCode(ports, code);
  if (record?.origin !== 'code-based') return undefined;
  const { userId, tenantId, applicationId, clientId } = record;
  audit({ userId, tenantId, applicationId, clientId });
  return record;
}
