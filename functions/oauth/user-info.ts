import { listScopeClaims } from '../../shared/domain/claims/scope-claims.ts';
import type { UseCase } from '../../shared/operation.ts';
import { findActiveLogin } from '../../shared/tokens/active-token.ts';
import { insufficientPermissionError, invalidToken, tokenScheme } from '../../shared/tokens/challenges.ts';
import { userClaims } from '../../shared/tokens/claims.ts';
import type * as rows from './rows.ts';

/**
 * UserInfo endpoint (OIDC Core §5.3): returns the claims that the access token's scope allows, and the claims that the
 * authorization request asked for.
 */
export const userInfo: UseCase<typeof rows.userInfo> = async ({ caller, request, settings }, ports) => {
  const scheme = tokenScheme(caller);
  // A token for another resource must not be used here (RFC 9068 §4). A token that the user has consented to may be used,
  // because the consent page has shown which data the client can read here.
  const isFor = caller.audience.includes(settings.defaultAudience) || caller.consentId !== undefined;
  if (!isFor) throw invalidToken('audience', scheme);
  if (!caller.scope.split(' ').includes('openid'))
    throw insufficientPermissionError('needs a token with the scope openid', scheme);
  const login = await findActiveLogin(ports, caller, request.now);
  if (!login) throw invalidToken('revoked', scheme);
  const names = [...listScopeClaims(caller.scope), ...caller.userInfoClaims];
  return {
    json: { sub: login.user.userId, ...userClaims(names, { user: login.user, application: caller }) },
  };
};
