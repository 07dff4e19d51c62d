import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import type { ProviderName, ProviderSecret } from '../ports/providers.ts';
import type { ProviderCalls } from './calls.ts';

/** Claims of an ID token, or fields of a profile. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whom a provider has logged in. */
export interface UpstreamProfile {
  readonly subject: string;
  readonly email?: string;
  /** What the provider says of the address; undefined: nothing. */
  readonly emailVerified?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly picture?: string;
  readonly language?: string;
}

/** An application as the provider knows it. */
export interface ProviderAccount {
  readonly clientId: string;
  readonly secret: ProviderSecret | undefined;
}

/** How one provider speaks OAuth 2.0 and OpenID Connect: what differs from the others, and nothing else. */
export interface Dialect {
  readonly issuer: string;
  /** Its endpoints where it publishes no metadata; absent: found by discovery. */
  readonly server?: AuthorizationServer;
  readonly scope: string;
  readonly pkce: boolean;
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Errors: `provider_failed` when the secret is missing or of another kind. */
  readonly authenticate: (
    account: ProviderAccount,
    server: AuthorizationServer,
  ) => ClientAuth | Promise<ClientAuth>;
  /** `asymmetric`: by a key of its JWKS alone. `secret`: also HS256 under the client secret. `none`: it sends no ID token. */
  readonly idToken: 'asymmetric' | 'secret' | 'none';
  /** Asks for the profile where there is no ID token. */
  readonly fetchClaims?: (
    accessToken: string,
    account: ProviderAccount,
    calls: ProviderCalls,
  ) => Promise<Claims>;
  /** `answer` is what came beside the code. */
  readonly readProfile: (claims: Claims, answer: URLSearchParams) => UpstreamProfile;
}

export type Dialects = Readonly<Record<ProviderName, Dialect>>;
