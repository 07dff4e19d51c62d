import { readCode } from '../../shared/domain/authorization-code.ts';
import type { AuditNote } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Ports } from '../../shared/ports/index.ts';

/** The code of section C that was opened, alive or not. */
export async function findCode(
  ports: Pick<Ports, 'codes'>,
  code: string,
  audit: (note: AuditNote) => void,
): Promise<AuthorizationCode | undefined> {
  const record = await readCode(ports, code);
  if (record?.origin !== 'code-based') return undefined;
  const { userId, tenantId, applicationId, clientId } = record;
  audit({ userId, tenantId, applicationId, clientId });
  return record;
}
