import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import type { UpstreamProfile } from '../ports/people.ts';
import type { BuiltInProvider, ProviderPreference, ProviderSecret } from '../ports/providers.ts';
import type { ProviderCalls } from './calls.ts';

/** Claims of an ID token, or fields of a profile. */
export type Claims = Readonly<Record<string, unknown>>;

/** Credentials with which an application authenticates to the provider. */
export interface ProviderAccount {
  readonly clientId: string;
  readonly secret: ProviderSecret | undefined;
}

/** Requirements that an application passes on to the provider's login page (OIDC Core §3.1.2.1). */
export interface ProviderWishes {
  /** True if the user must authenticate again, even if the user is already logged in at the provider. */
  readonly forcesLogin: boolean;
  readonly selectsAccount: boolean;
  /** Maximum age in seconds of the user's login at the provider. 0 if a new login is required. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  /** Language tags (RFC 5646), separated by spaces. */
  readonly uiLocales?: string;
}

/** Description of a provider's protocol where it differs from standard OAuth 2.0 and OpenID Connect. */
export interface Dialect {
  readonly issuer: string;
  /** Endpoints of a provider without metadata. If undefined, they are found by discovery. */
  readonly server?: AuthorizationServer;
  /**
   * Returns the issuer that an ID token must have, from the token's unverified claims. Only providers with several issuers
   * define this function; for all others, `issuer` applies. Errors: `provider_failed`.
   */
  readonly toIssuer?: (claims: Claims) => string;
  readonly scope: string;
  readonly pkce: boolean;
  /** Additional parameters of each authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Converts the requirements of a login to the parameters that the provider documents, because a provider may reject other
   * parameters. `prompt=consent` is never passed on, because it is meant for this service's own page. If undefined, no
   * parameters are sent.
   */
  readonly wishParameters?: (wishes: ProviderWishes) => Readonly<Record<string, string | undefined>>;
  /** Authenticates the application at the provider. Throws `provider_failed` for a missing secret or one of another type. */
  readonly authenticate: (
    account: ProviderAccount,
    server: AuthorizationServer,
  ) => ClientAuth | Promise<ClientAuth>;
  /**
   * Signature of ID tokens. `asymmetric`: by a key of the JWKS. `secret`: possibly also HS256 with the client secret. `none`:
   * the provider has no ID tokens.
   */
  readonly idToken: 'asymmetric' | 'secret' | 'none';
  /** Fetches the user's profile from a provider without ID tokens. */
  readonly fetchClaims?: (
    accessToken: string,
    account: ProviderAccount,
    calls: ProviderCalls,
  ) => Promise<Claims>;
  /** Reads the user's profile. `answer` contains the parameters of the authorization response. */
  readonly readProfile: (claims: Claims, answer: URLSearchParams) => UpstreamProfile;
}

/**
 * Protocol descriptions of the built-in providers. An entry can also be a function that creates one from an application's
 * settings.
 */
export type Dialects = Readonly<
  Record<BuiltInProvider, Dialect | ((preference: ProviderPreference) => Dialect)>
>;
