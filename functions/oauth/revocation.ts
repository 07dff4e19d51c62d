import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { revokeClientToken } from '../../shared/domain/management/clients.ts';
import { counted } from '../../shared/domain/rate-limits/call-window.ts';
import { findFamily, parseRefreshToken } from '../../shared/domain/sessions/refresh-token.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { type OAuthCaller, requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { verifyAccessToken, verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import type * as rows from './rows.ts';

type RevocationPorts = Using<
  | 'sessions.endFamily'
  | 'sessions.find'
  | 'revokedTokens.revoke'
  | 'signingKeys'
  | 'clientRecords.find'
  | 'clientRecords.replace'
  | 'windowRecords.announce'
>;

/** Any token of the family ends it, an old one too: the family's ID in it is as secret as the token. */
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
 * Revokes a token of the client (RFC 7009 §2.1): a refresh token with its family and their access tokens, an access token
 * alone. Introspection and our operations reject it from then on. An unknown, expired or foreign token changes nothing and is no
 * error (§2.2). Errors: `unsupported_token_type` for an ID token.
 */
async function revokeToken(
  ports: RevocationPorts,
  caller: OAuthCaller,
  token: string,
  { issuer, now }: { readonly issuer: string; readonly now: number },
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

/** RFC 7009. Revokes a token of the client, which is confirmed before anything is written. */
export const revocation: UseCase<typeof rows.revocation> = async (
  { form, request, settings, audit },
  ports,
) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  return counted(ports, caller, { request, settings }, async (confirmed) => {
    await revokeToken(ports, confirmed, form.token, { issuer: settings.issuer, now: request.now });
    return { json: {} };
  });
};
