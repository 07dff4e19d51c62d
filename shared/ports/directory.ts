/**
 * Configuration: who may call, for which application, with which settings. No personal data.
 * Reads may be up to 60 s old (each container caches what it found), unless `fresh` is asked for.
 */

import type { applicationFields, roleFields } from '../records/application.ts';
import type { Given, Shown, Stored } from '../records/field.ts';

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  /** 32 random bytes, base64url. Keys the hashes of identifiers: `flows` holds no address. */
  readonly salt: string;
  /** Overrides of its budget of SMS; see domain/limits. */
  readonly smsPerDay?: number;
  readonly smsPer30Days?: number;
  /** When a recovery takes effect; see domain/limits. */
  readonly recoveryDelayHours?: number;
  /** People may delete their own account on the account page. */
  readonly accountDeletion?: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Role extends Stored<typeof roleFields> {}

export interface Application extends Stored<typeof applicationFields> {}
/** An application as operators see it. */
export interface ApplicationRecord extends Shown<typeof applicationFields> {}
export interface ApplicationFields extends Given<typeof applicationFields> {
  /** Added to the others in the same change. */
  readonly add_redirect_uris?: readonly string[] | undefined;
}

/** How a client proves who it is; `none` is a public client (RFC 6749 §2.1). */
export type ClientAuthMethod = 'secret' | 'private_key_jwt' | 'none';

export interface ClientSecret {
  readonly secretId: string;
  /** SHA-256 of the secret, base64url; secrets have 256 bits, so a plain hash is the right one. */
  readonly hash: string;
  readonly createdAt: number;
}

/** How tokens are signed (RFC 7518 §3.1). */
export type TokenAlgorithm = 'RS256' | 'PS256' | 'ES256';

export interface Client {
  readonly clientId: string;
  readonly tenantId: string;
  /** Absent for a management client, which acts for the whole tenant. */
  readonly applicationId?: string;
  readonly kind: 'application' | 'management';
  readonly name: string;
  readonly secrets: readonly ClientSecret[];
  /** Absent: `secret`. */
  readonly authMethod?: ClientAuthMethod;
  /** Public keys that verify the client's assertions. */
  readonly jwks?: { readonly keys: readonly PublicJwk[] };
  /** The audience of its assertions must be the issuer as a single string (FAPI 2.0 Security Profile §5.3.2.1). */
  readonly strictAudience?: boolean;
  /** Public clients need PKCE without this too. */
  readonly requirePkce?: boolean;
  readonly requirePushedRequests?: boolean;
  /** At `/v1/token`, a code of `/oidc/auth` needs its verifier or redirect URI. */
  readonly boundCodes: boolean;
  /** Gets `offline_access` without `prompt=consent`. */
  readonly offlineAccessWithoutConsent?: boolean;
  /** Gets tokens bound to a key, or none (RFC 9449 §5.2). */
  readonly dpopBound?: boolean;
  /** Its proofs must carry a nonce of ours (RFC 9449 §8). */
  readonly dpopNonce?: boolean;
  /** FAPI 2.0 Security Profile; the settings that it demands are those of the record. */
  readonly profile?: 'fapi2';
  /** What `acr_values` of its requests means. Absent: `require`. */
  readonly acrValues?: 'require' | 'prefer';
  /** Told of sessions that end (OpenID Connect Back-Channel Logout 1.0 §2.2). */
  readonly backchannelLogoutUri?: string;
  /** Kept for who reads the record: every logout token has `sid`. */
  readonly backchannelLogoutSessionRequired?: boolean;
  /** Absent: its refresh tokens rotate. False only where it proves itself by a key. */
  readonly refreshTokenRotation?: boolean;
  /** How its tokens are signed, access tokens too; absent: RS256. */
  readonly idTokenSignedResponseAlg?: TokenAlgorithm;
  /** Absent, and no roles either: all permissions of its application. */
  readonly permissions?: readonly string[];
  /** Roles of its application: what they permit is added to its own permissions. */
  readonly roles?: readonly string[];
  /** Its `client_attributes.ip_address` is believed. */
  readonly trusted?: boolean;
  readonly accessTokenSeconds?: number;
  readonly refreshTokenSeconds?: number;
  readonly maxRefreshRotateSeconds?: number;
  /** Revoked tokens and secrets, until the last token of each has expired. */
  readonly revoked?: readonly RevokedId[];
  /** Tokens that were issued until then are refused: more were revoked than are kept. */
  readonly tokensAfter?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The `jti` of a token, or the ID of a secret that tokens were bought with. */
export interface RevokedId {
  readonly id: string;
  readonly until: number;
}

export interface Resource {
  readonly resourceId: string;
  readonly tenantId: string;
  /** The application that owns it; absent when it belongs to the tenant. */
  readonly applicationId?: string;
  readonly name: string;
  readonly description?: string;
  readonly uri: string;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly maxRefreshRotateSeconds: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Organization {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface PublicJwk {
  readonly kty: string;
  readonly [member: string]: unknown;
}

export interface ReadOptions {
  /** Reads the table even if the container has a cached record. */
  readonly fresh?: boolean;
}

export interface Tenants {
  find(tenantId: string, options?: ReadOptions): Promise<Tenant | undefined>;
}
export interface Applications {
  find(applicationId: string, options?: ReadOptions): Promise<Application | undefined>;
}
export interface Clients {
  find(clientId: string, options?: ReadOptions): Promise<Client | undefined>;
}
export interface Resources {
  findByUri(tenantId: string, uri: string, options?: ReadOptions): Promise<Resource | undefined>;
}
export interface Organizations {
  find(organizationId: string, options?: ReadOptions): Promise<Organization | undefined>;
}
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * The writing side of one kind of configuration record. Never cached.
 * `put` is refused (false) when a record of that ID exists; `replace` when the stored record is no longer `expected`
 * (compared by a version inside the store), so two operators cannot overwrite each other unseen.
 */
export interface RecordStore<T> {
  put(record: T): Promise<boolean>;
  find(id: string): Promise<T | undefined>;
  replace(expected: T, next: T): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /**
   * Records of one parent (a tenant, or the application of a client), oldest first. With `keep` only those that it keeps. One
   * call looks at a bounded number of records: a page may be short, or empty, and have a next one.
   */
  list(parentId: string, page: PageRequest, keep?: (record: T) => boolean): Promise<Page<T>>;
}

export type TenantRecords = RecordStore<Tenant>;
export type ApplicationRecords = RecordStore<Application>;
export type ClientRecords = RecordStore<Client>;
export type OrganizationRecords = RecordStore<Organization>;

/** A resource's URI is unique in its tenant: `reserveUri` lets exactly one resource hold it. */
export interface ResourceRecords extends RecordStore<Resource> {
  /** True when the URI is now this resource's; false when another, living resource holds it. */
  reserveUri(tenantId: string, uri: string, resourceId: string): Promise<boolean>;
  /**
   * Gives the URI up if this resource still holds it, reserved at `reservedUpTo` (epoch seconds with milliseconds) or
   * before: a change that puts the URI back has reserved it anew.
   */
  releaseUri(tenantId: string, uri: string, resourceId: string, reservedUpTo: number): Promise<void>;
}

/** The tenant that a resource URI belongs to: one of the environment, as all tenants share issuer and keys. */
export interface UriOwners {
  /**
   * True when the URI is now the tenant's; it may have been before. False while another tenant has a living resource with it,
   * until the time that it is held for, or where the host is kept for another tenant. Of many tenants at once one succeeds.
   */
  reserve(tenantId: string, uri: string, at: number): Promise<boolean>;
  /** Says how long the tenant keeps the URI once no resource has it. Comes before the resource goes. */
  hold(tenantId: string, uri: string, until: number): Promise<void>;
}

export interface ReservedHost {
  readonly host: string;
  readonly tenantId: string;
}

/** The operator's side of it. */
export interface UriOwnerRecords {
  /** The ID of the tenant; undefined for a URI that none has reserved. */
  find(uri: string): Promise<string | undefined>;
  /** Gives the URI to the tenant, whichever had it. */
  assign(tenantId: string, uri: string, at: number): Promise<void>;
  /** Ends the tenant's use of the URI, one that is about to begin too. False when there was none. */
  revoke(tenantId: string, uri: string): Promise<boolean>;
  listHosts(): Promise<readonly ReservedHost[]>;
  /** False while another tenant has the host. */
  reserveHost(tenantId: string, host: string): Promise<boolean>;
  /** False when the tenant does not have it. */
  freeHost(tenantId: string, host: string): Promise<boolean>;
}

/** Where one application uses its passkeys. */
export interface OriginsOfApplication {
  readonly tenantId: string;
  readonly createdAt: number;
  readonly origins: readonly string[];
}

export interface RelatedOrigins {
  /** Origins of the applications that have set this RP ID, or, with `byDefault`, none. At most a minute old. */
  list(rpId: string, options: { readonly byDefault: boolean }): Promise<readonly OriginsOfApplication[]>;
}

export interface RpIds {
  /**
   * Fixes the RP ID of an application's passkeys, before the first one is stored; a concurrent edit of the application is
   * refused. False when it is fixed to another one, set to another one, or the application is gone.
   */
  fix(applicationId: string, rpId: string): Promise<boolean>;
}
