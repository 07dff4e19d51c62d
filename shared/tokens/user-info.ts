import { omitUndefined } from '../domain/basis/omit-undefined.ts';
import type { User } from '../ports/people.ts';

/** Standard claims of a user (OIDC Core §5.1). */
export interface UserInfo {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
}

type Claims = Partial<Record<keyof UserInfo, unknown>>;

/** The claims of each scope (OIDC Core §5.4). */
const OPENED = new Map<string, (user: User) => Claims>([
  ['email', ({ email }) => ({ email: email?.value, email_verified: email?.verified })],
  [
    'phone',
    ({ phoneNumber }) => ({
      phone_number: phoneNumber?.value,
      phone_number_verified: phoneNumber?.verified,
    }),
  ],
]);

/** The claims that a token's scope grants (OIDC Core §5.3.2). */
export function userInfo(user: User, scope: string): UserInfo {
  const claims = scope.split(' ').map((name) => OPENED.get(name)?.(user));
  return omitUndefined<UserInfo>({ sub: user.userId, ...Object.assign({}, ...claims) });
}
