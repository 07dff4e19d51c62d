import type { UserClaimName } from './claims-request.ts';

/** Scopes that can be granted to a login, with the claims that each one releases (OIDC Core §5.4, §11). */
const CLAIMS_OF_SCOPES = {
  openid: [],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  offline_access: [],
} as const satisfies Readonly<Record<string, readonly UserClaimName[]>>;

type Scope = keyof typeof CLAIMS_OF_SCOPES;

export const SCOPES = Object.keys(CLAIMS_OF_SCOPES) as readonly Scope[];

export const isServiceScope = (name: string): name is Scope => Object.hasOwn(CLAIMS_OF_SCOPES, name);

/** Returns the claims that the scope of a token releases. */
export function listScopeClaims(scope: string): readonly UserClaimName[] {
  const granted = scope.split(' ');
  return SCOPES.filter((name) => granted.includes(name)).flatMap((name) => CLAIMS_OF_SCOPES[name]);
}
