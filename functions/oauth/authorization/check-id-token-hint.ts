import type { BrowserContext } from '../../../shared/flows/browser/browser-context.ts';
import type { OperationPorts } from '../../../shared/operation.ts';
import { verifyIdTokenHint } from '../../../shared/tokens/verify.ts';
import type * as rows from '../rows.ts';

/**
 * Returns the user that `id_token_hint` names (OIDC Core §3.1.2.1). A hint that is not an ID token of this service for this
 * tenant is ignored.
 */
export async function checkIdTokenHint(
  ports: OperationPorts<typeof rows.authorize>,
  { tenant, client, settings }: BrowserContext,
  hint: string | undefined,
): Promise<{ readonly expectedUserId?: string }> {
  if (hint === undefined) return {};
  const named = await verifyIdTokenHint(hint, await ports.signingKeys.list(), settings.issuer);
  if (!named) return {};
  const owner = named.clientId === client.clientId ? client : await ports.clients.find(named.clientId);
  return owner?.tenantId === tenant.tenantId ? { expectedUserId: named.userId } : {};
}
