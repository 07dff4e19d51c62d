import { present } from '../domain/present.ts';
import type { User } from '../ports/people.ts';
import { fullName } from './claims.ts';

/** Standard claims (OIDC Core §5.1) that a user may have. */
export interface UserInfo {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly name?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly preferred_username?: string;
  readonly picture?: string;
  readonly locale?: string;
  readonly updated_at?: number;
}

type Claims = Partial<Record<keyof UserInfo, unknown>>;

/** OIDC Core §5.4: what each scope opens. */
const OPENED = new Map<string, (user: User) => Claims>([
  ['email', ({ email }) => ({ email: email?.value, email_verified: email?.verified })],
  [
    'phone',
    ({ phoneNumber }) => ({
      phone_number: phoneNumber?.value,
      phone_number_verified: phoneNumber?.verified,
    }),
  ],
  [
    'profile',
    (user) => ({
      name: fullName(user),
      given_name: user.firstName,
      family_name: user.lastName,
      preferred_username: user.username,
      picture: user.picture,
      locale: user.language,
      updated_at: user.updatedAt,
    }),
  ],
]);

/** The claims about a user that a token's scope opens. */
export function userInfo(user: User, scope: string): UserInfo {
  const claims = scope.split(' ').map((name) => OPENED.get(name)?.(user));
  return present<UserInfo>({ sub: user.userId, ...Object.assign({}, ...claims) });
}
