import { findFamily, parseRefreshToken } from '../domain/sessions/refresh-token.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Client } from '../ports/directory.ts';
import type { Using } from '../ports/uses.ts';
import { verifyAccessToken, verifyIdTokenHint } from './verify.ts';

export type RevocationPorts = Using<
  'sessions.endFamily' | 'sessions.find' | 'revokedTokens.revoke' | 'signingKeys'
>;

/** Any token of the family tells that its client wants it ended: its ID is as secret as the token. */
async function revokeFamily(
  ports: RevocationPorts,
  client: Client,
  token: string,
  now: number,
): Promise<boolean> {
  const refreshToken = parseRefreshToken(token);
  if (!refreshToken) return false;
  const found = await findFamily(ports, refreshToken, now);
  const own = found?.family.clientId === client.clientId && found.session.tenantId === client.tenantId;
  if (own) await ports.sessions.endFamily(refreshToken.sessionId, refreshToken.familyId, now);
  return true;
}

/**
 * Takes a token of the client back (RFC 7009): a refresh token with its family and the access tokens that came of it, an
 * access token by itself, as introspection and UserInfo tell from then on. What is unknown, over or another client's stays
 * as it is, and nobody is told. Errors: `unsupported_token_type` for an ID token, which opens nothing.
 */
export async function revokeToken(
  ports: RevocationPorts,
  client: Client,
  token: string,
  { issuer, now }: { readonly issuer: string; readonly now: number },
): Promise<void> {
  if (await revokeFamily(ports, client, token, now)) return;
  const keys = await ports.signingKeys.list();
  const accessToken = await verifyAccessToken(token, keys, issuer);
  if (!accessToken) {
    if (await verifyIdTokenHint(token, keys, issuer)) throw new ServiceError('unsupported_token_type');
    return;
  }
  const own = accessToken.clientId === client.clientId && accessToken.tenantId === client.tenantId;
  if (own) await ports.revokedTokens.revoke(accessToken.jti, accessToken.expiresAt);
}
