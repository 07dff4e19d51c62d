import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { isProven } from '../../shared/domain/identifiers/sleep.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import { insufficient, invalidToken, schemeOf } from '../../shared/tokens/challenges.ts';
import { findLivingLogin } from '../../shared/tokens/living-token.ts';
import type * as rows from './rows.ts';

/** Standard claims of a user (OIDC Core §5.1). */
interface UserInfo {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
}

type Claims = Partial<Record<keyof UserInfo, unknown>>;

/** The claims of each scope (OIDC Core §5.4). */
const OPENED = new Map<string, (user: User) => Claims>([
  [
    'email',
    (user) => ({ email: user.email?.value, email_verified: user.email && isProven(user, user.email) }),
  ],
  [
    'phone',
    (user) => ({
      phone_number: user.phoneNumber?.value,
      phone_number_verified: user.phoneNumber && isProven(user, user.phoneNumber),
    }),
  ],
]);

/** The claims that a token's scope grants (OIDC Core §5.3.2). */
function claimsOf(user: User, scope: string): UserInfo {
  const claims = scope.split(' ').map((name) => OPENED.get(name)?.(user));
  return omitUndefined<UserInfo>({ sub: user.userId, ...Object.assign({}, ...claims) });
}

/** OIDC Core §5.3. The user of an access token: the claims of its scope, while the login lives. */
export const userInfo: UseCase<typeof rows.userInfo> = async ({ caller, request, settings }, ports) => {
  const scheme = schemeOf(caller);
  // A token for another resource is not for this one (RFC 9068 §4).
  if (!caller.audience.includes(settings.defaultAudience)) throw invalidToken('audience', scheme);
  if (!caller.scope.split(' ').includes('openid'))
    throw insufficient('needs a token with the scope openid', scheme);
  const login = await findLivingLogin(ports, caller, request.now);
  if (!login) throw invalidToken('revoked', scheme);
  return { json: claimsOf(login.user, caller.scope) };
};
