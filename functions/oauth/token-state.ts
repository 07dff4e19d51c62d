import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { clientRefused } from '../../shared/domain/oauth/client-authentication.ts';
import { counted } from '../../shared/domain/rate-limits/call-window.ts';
import type { UseCase } from '../../shared/operation.ts';
import { insufficient, invalidToken } from '../../shared/tokens/challenges.ts';
import { introspect } from '../../shared/tokens/introspect.ts';
import { findLivingSession } from '../../shared/tokens/living-token.ts';
import { requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { revokeToken } from '../../shared/tokens/revoke.ts';
import { userInfo as claimsOf } from '../../shared/tokens/user-info.ts';
import type * as rows from './rows.ts';

/** RFC 7662. Tells a client that proves who it is whether a token is active, and what it says. */
export const introspection: UseCase<typeof rows.introspection> = async (
  { form, request, settings, audit },
  ports,
) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  // RFC 7662 §2.1: anybody can play a public client and scan for tokens.
  if (caller.client.authMethod === 'none') throw clientRefused();
  return counted(ports, caller, { request, settings }, async () => ({
    json: await introspect(ports, caller, form.token, { issuer: settings.issuer, now: request.now }),
  }));
};

/** RFC 7009. Takes a token of the client back. */
export const revocation: UseCase<typeof rows.revocation> = async (
  { form, request, settings, audit },
  ports,
) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  return counted(ports, caller, { request, settings }, async () => {
    await revokeToken(ports, caller.client, form.token, { issuer: settings.issuer, now: request.now });
    return { json: {} };
  });
};

/** OIDC Core §5.3. The user of an access token, as far as its scope goes and as long as the login lives. */
export const userInfo: UseCase<typeof rows.userInfo> = async ({ caller, request, settings }, ports) => {
  const scheme = caller.dpopJkt === undefined ? 'Bearer' : 'DPoP';
  // A token for another resource is not for this one (RFC 9068 §4).
  if (!caller.audience.includes(settings.defaultAudience)) throw invalidToken(scheme);
  if (!caller.scope.split(' ').includes('openid')) throw insufficient(scheme);
  const [session, user] = await awaitAll(
    findLivingSession(ports, caller, request.now),
    ports.users.find(caller.userId),
  );
  if (!session || user?.tenantId !== caller.tenantId || user.status === 'Disabled')
    throw invalidToken(scheme);
  return { json: claimsOf(user, caller.scope) };
};
