import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import type { UpstreamProfile } from '../ports/people.ts';
import type { ProviderName, ProviderPreference, ProviderSecret } from '../ports/providers.ts';
import type { ProviderCalls } from './calls.ts';

/** Claims of an ID token, or fields of a profile. */
export type Claims = Readonly<Record<string, unknown>>;

/** An application as the provider knows it. */
export interface ProviderAccount {
  readonly clientId: string;
  readonly secret: ProviderSecret | undefined;
}

/** Wishes of a login for the page of a provider (OIDC Core §3.1.2.1). */
export interface ProviderWishes {
  /** The person authenticates anew, even if they are logged in there. */
  readonly forcesLogin: boolean;
  readonly selectsAccount: boolean;
  /** How old the login there may be, in seconds; 0 if a new one is forced. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  /** RFC 5646 tags with spaces between. */
  readonly uiLocales?: string;
}

/** The differences of one provider in OAuth 2.0 and OpenID Connect. */
export interface Dialect {
  readonly issuer: string;
  /** Endpoints of a provider without metadata. Absent: found by discovery. */
  readonly server?: AuthorizationServer;
  /**
   * Returns the issuer that an ID token with these claims must have, for a provider with several. The claims are not yet verified.
   * Absent: `issuer`. Errors: `provider_failed`.
   */
  readonly toIssuer?: (claims: Claims) => string;
  readonly scope: string;
  readonly pkce: boolean;
  /** Further parameters of each authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Returns the parameters for what a login asks, of those that the provider documents: it may refuse others. A prompt for consent is
   * never passed on, because it is meant for the page of this service. Absent: the provider takes none.
   */
  readonly wishParameters?: (wishes: ProviderWishes) => Readonly<Record<string, string | undefined>>;
  /** Errors: `provider_failed` when the secret is missing or of another kind. */
  readonly authenticate: (
    account: ProviderAccount,
    server: AuthorizationServer,
  ) => ClientAuth | Promise<ClientAuth>;
  /** `asymmetric`: signed by a key of the JWKS. `secret`: also by HS256 under the client secret. `none`: no ID token. */
  readonly idToken: 'asymmetric' | 'secret' | 'none';
  /** Reads the profile of a provider without ID tokens. */
  readonly fetchClaims?: (
    accessToken: string,
    account: ProviderAccount,
    calls: ProviderCalls,
  ) => Promise<Claims>;
  /** `answer` holds the parameters beside the code. */
  readonly readProfile: (claims: Claims, answer: URLSearchParams) => UpstreamProfile;
}

/** A dialect, or a function that makes it for the settings of an application. */
export type Dialects = Readonly<
  Record<ProviderName, Dialect | ((preference: ProviderPreference) => Dialect)>
>;
