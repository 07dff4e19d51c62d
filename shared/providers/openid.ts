import { type AuthorizationServer, ClientSecretBasic, ClientSecretPost, None } from 'oauth4webapi';
import { ADDRESS_MAX, LANGUAGE_TAG_MAX, NAME_MAX, PICTURE_MAX } from '../domain/basis/limits.ts';
import type { UpstreamProfile } from '../ports/people.ts';
import type { ProviderPreference } from '../ports/providers.ts';
import { flagClaim, secureUrl, textClaim } from './claims.ts';
import type { Claims, Dialect, ProviderAccount, ProviderWishes } from './dialect.ts';
import { providerFailed } from './failures.ts';

/** Reads the standard claims of a user's profile (OpenID Connect Core §5.1). */
export function openIdProfile(claims: Claims): UpstreamProfile {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw providerFailed('sub');
  const profile = {
    subject: sub,
    email: textClaim(claims, 'email', ADDRESS_MAX),
    emailVerified: flagClaim(claims, 'email_verified'),
    firstName: textClaim(claims, 'given_name', NAME_MAX),
    lastName: textClaim(claims, 'family_name', NAME_MAX),
    picture: secureUrl(claims, 'picture', PICTURE_MAX),
    language: textClaim(claims, 'locale', LANGUAGE_TAG_MAX),
  };
  return Object.fromEntries(
    Object.entries(profile).filter(([, value]) => value !== undefined),
  ) as unknown as UpstreamProfile;
}

/** Authenticates with the client secret in the form, which all built-in providers accept. Errors: `provider_failed`. */
export function bySecret({ secret }: ProviderAccount) {
  if (secret?.clientSecret === undefined) throw providerFailed('secret_missing');
  return ClientSecretPost(secret.clientSecret);
}

/** Authenticates with the client secret by HTTP Basic, or in the form if the provider allows only this (OIDC Core §9). */
function authenticate({ secret }: ProviderAccount, server: AuthorizationServer) {
  if (secret?.clientSecret === undefined) return None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const byForm = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return byForm ? ClientSecretPost(secret.clientSecret) : ClientSecretBasic(secret.clientSecret);
}

/**
 * Converts the requirements of a login to parameters (OIDC Core §3.1.2.1). `prompt=login` alone does not guarantee `auth_time`
 * in the ID token, but `max_age` does.
 */
const wishParameters = (wishes: ProviderWishes, own: string | undefined) => {
  const { forcesLogin, selectsAccount, maxAge, loginHint, uiLocales } = wishes;
  const prompts = new Set([forcesLogin && 'login', selectsAccount && 'select_account', own].filter(Boolean));
  return {
    prompt: prompts.size > 0 ? [...prompts].join(' ') : undefined,
    max_age: maxAge?.toString(),
    login_hint: loginHint,
    ui_locales: uiLocales,
  };
};

/**
 * Creates the protocol description of an OpenID provider with an issuer that the application has configured. Trusts only
 * `email_verified: true`.
 * @param own.prompt Value of `prompt` in every request, in addition to the values that the login requires
 */
export function openId(
  issuer: string,
  { scopes = ['email', 'profile'], prompt }: Pick<ProviderPreference, 'scopes' | 'prompt'>,
): Dialect {
  return {
    issuer,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    pkce: true,
    authenticate,
    wishParameters: (wishes) => wishParameters(wishes, prompt),
    idToken: 'asymmetric',
    readProfile: (claims) => {
      const profile = openIdProfile(claims);
      return { ...profile, emailVerified: profile.emailVerified === true };
    },
  };
}
