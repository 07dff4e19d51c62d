import { isMailedLink } from '../../shared/domain/mailed-link.ts';
import { hashSecret } from '../../shared/domain/random.ts';
import type { AuditNote } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Ports } from '../../shared/ports/index.ts';

/** The link that has this code, alive or not. */
export async function findLink(
  ports: Pick<Ports, 'codes'>,
  code: string,
  audit: (note: AuditNote) => void,
): Promise<AuthorizationCode | undefined> {
  const link = await ports.codes.find(hashSecret(code));
  if (!link || !isMailedLink(link)) return undefined;
  const { userId, tenantId, applicationId, clientId } = link;
  audit({ userId, tenantId, applicationId, clientId });
  return link;
}
