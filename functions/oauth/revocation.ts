import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { revokeClientToken } from '../../shared/domain/management/clients.ts';
import { isDocumentId } from '../../shared/domain/oauth/client-document.ts';
import { runCounted } from '../../shared/domain/rate-limits/call-window.ts';
import { findFamily, parseRefreshToken } from '../../shared/domain/sessions/refresh-token.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { requireDocumentId } from '../../shared/tokens/document-caller.ts';
import { type OAuthCaller, requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { verifyAccessToken, verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import type * as rows from './rows.ts';

type RevocationPorts = PortsWith<
  | 'sessions.endFamily'
  | 'sessions.find'
  | 'revokedTokens.revoke'
  | 'signingKeys'
  | 'clientRecords.find'
  | 'clientRecords.replace'
  | 'windowRecords.announce'
>;

interface IssuerAndTime {
  readonly issuer: string;
  /** Current time in epoch seconds. */
  readonly now: number;
}

/**
 * Revokes the family of a refresh token: the chain of refresh tokens that replaced one another. Any token of the family is
 * sufficient, even a replaced one, because it contains the family's ID, which is as secret as the token. Returns false if the
 * token is not a refresh token.
 */
async function revokeFamily(
  ports: RevocationPorts,
  { client, confirm }: OAuthCaller,
  token: string,
  now: number,
): Promise<boolean> {
  const refreshToken = parseRefreshToken(token);
  if (!refreshToken) return false;
  const [found] = await awaitAll(findFamily(ports, refreshToken, now), confirm());
  const own = found?.family.clientId === client.clientId && found.session.tenantId === client.tenantId;
  if (own) await ports.sessions.endFamily(refreshToken.sessionId, refreshToken.familyId, now);
  return true;
}

/**
 * Revokes a token of the client (RFC 7009 §2.1): a refresh token with its family and their access tokens, or a single access
 * token. Introspection and the service's own operations then reject the token. An unknown or expired token, or a token of
 * another client, changes nothing and causes no error (§2.2).
 * @throws `unsupported_token_type` for an ID token
 */
async function revokeToken(
  ports: RevocationPorts,
  caller: OAuthCaller,
  token: string,
  { issuer, now }: IssuerAndTime,
): Promise<void> {
  if (await revokeFamily(ports, caller, token, now)) return;
  const keys = await ports.signingKeys.list();
  const accessToken = await verifyAccessToken(token, keys, issuer);
  if (!accessToken) {
    if (await verifyIdTokenHint(token, keys, issuer)) throw new ServiceError('unsupported_token_type');
    return;
  }
  const { jti, expiresAt } = accessToken;
  const client = await caller.confirm();
  if (accessToken.clientId !== client.clientId || accessToken.tenantId !== client.tenantId) return;
  if (accessToken.kind === 'user') await ports.revokedTokens.revoke(jti, expiresAt);
  else await revokeClientToken(ports, client.clientId, jti, expiresAt);
}

/**
 * Revokes a token of a client that is identified by its metadata document. Such a client is public and does not authenticate,
 * so possession of the token is enough to revoke it.
 */
async function revokeForDocumentClient(
  ports: RevocationPorts,
  clientId: string,
  token: string,
  { issuer, now }: IssuerAndTime,
): Promise<void> {
  const refreshToken = parseRefreshToken(token);
  if (refreshToken) {
    const { sessionId, familyId } = refreshToken;
    const found = await findFamily(ports, refreshToken, now);
    if (found?.family.clientId === clientId) await ports.sessions.endFamily(sessionId, familyId, now);
    return;
  }
  const accessToken = await verifyAccessToken(token, await ports.signingKeys.list(), issuer);
  if (accessToken?.kind === 'user' && accessToken.clientId === clientId)
    await ports.revokedTokens.revoke(accessToken.jti, accessToken.expiresAt);
}

/** Revokes a token of the client (RFC 7009). The client is authenticated before anything is written. */
export const revocation: UseCase<typeof rows.revocation> = async (
  { form, request, settings, audit },
  ports,
) => {
  const moment = { issuer: settings.issuer, now: request.now };
  if (isDocumentId(form.client_id ?? '')) {
    const clientId = requireDocumentId({ form, request });
    audit({ clientId });
    await revokeForDocumentClient(ports, clientId, form.token, moment);
    return { json: {} };
  }
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  return runCounted(ports, caller, { request, settings }, async (confirmed) => {
    await revokeToken(ports, confirmed, form.token, moment);
    return { json: {} };
  });
};
