// Configuration: tenants, applications, clients and their settings. It contains no personal data. Unless `fresh` is set, data
// may be up to 60 seconds old, because each container caches records.

import type { androidAppFields, applicationFields, roleFields } from '../records/application.ts';
import type { clientFields, clientSecretFields } from '../records/client.ts';
import type { CreateInput, RecordView, StoredRecord, UpdateInput } from '../records/field.ts';
import type { organizationFields } from '../records/organization.ts';
import type { resourceFields, scopeFields } from '../records/resource.ts';
import type { tenantFields } from '../records/tenant.ts';

export type { PublicJwk } from '../records/client.ts';

export interface Tenant extends StoredRecord<typeof tenantFields> {}
/** Tenant record as operators see it, without the salt. */
export interface TenantRecord extends RecordView<typeof tenantFields> {}
export interface TenantFields extends UpdateInput<typeof tenantFields> {}

export interface Role extends StoredRecord<typeof roleFields> {}

export interface AndroidApp extends StoredRecord<typeof androidAppFields> {}

export interface Application extends StoredRecord<typeof applicationFields> {}
export interface ApplicationOfTenant {
  readonly tenant: Tenant;
  readonly application: Application;
}
export interface ClientOfTenant extends ApplicationOfTenant {
  readonly client: Client;
}
/** Application record as operators see it. */
export interface ApplicationRecord extends RecordView<typeof applicationFields> {}
export interface ApplicationFields extends UpdateInput<typeof applicationFields> {
  /** Redirect URIs that the change adds to the existing redirect URIs. */
  readonly add_redirect_uris?: readonly string[] | undefined;
}

export interface Client extends StoredRecord<typeof clientFields> {}
export interface ClientRecord extends RecordView<typeof clientFields> {}
export interface ClientFields extends UpdateInput<typeof clientFields> {}
export interface ClientSecret extends StoredRecord<typeof clientSecretFields> {}
export type ClientAuthMethod = NonNullable<Client['authMethod']>;
export type TokenAlgorithm = NonNullable<Client['idTokenSignedResponseAlg']>;

export interface Resource extends StoredRecord<typeof resourceFields> {}
export interface ResourceScope extends StoredRecord<typeof scopeFields> {}
export interface ResourceRecord extends RecordView<typeof resourceFields> {}
export interface NewResourceFields extends CreateInput<typeof resourceFields> {}
export interface ResourceFields extends UpdateInput<typeof resourceFields> {}

export interface Organization extends StoredRecord<typeof organizationFields> {}
export interface OrganizationRecord extends RecordView<typeof organizationFields> {}
export interface NewOrganizationFields extends CreateInput<typeof organizationFields> {}
export interface OrganizationFields extends UpdateInput<typeof organizationFields> {}

export interface ReadOptions {
  /** True to read the table even if the container has a cached record. */
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
/** Lookup of a tenant's applications, for requests that only name a resource of the tenant. */
export interface ApplicationsOfTenant {
  list(tenantId: string): Promise<readonly Application[]>;
}
/** Lookup of a tenant's resources, for requests that name no resource. */
export interface ResourcesOfTenant {
  list(tenantId: string): Promise<readonly Resource[]>;
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
  /** True to list the newest records first. A cursor is only valid for the order in which it was created. */
  readonly isNewestFirst?: boolean | undefined;
}

/**
 * Uncached store that writes one type of configuration record. `put` returns false if a record with the same ID exists.
 * `replace` returns false if the stored record has changed since `expected` was read (compared by an internal version). No
 * operator can therefore overwrite another operator's change unnoticed.
 */
export interface RecordStore<T> {
  put(record: T): Promise<boolean>;
  find(id: string): Promise<T | undefined>;
  replace(expected: T, next: T): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /**
   * Lists the records of one parent (a tenant, or the application of a client) that `keep` accepts, oldest first. Each call
   * reads a limited number of records, so a page may be short or empty even if there is a next page.
   */
  list(parentId: string, page: PageRequest, keep?: (record: T) => boolean): Promise<Page<T>>;
}

export type TenantRecords = RecordStore<Tenant>;
export interface ApplicationRecords extends RecordStore<Application> {
  /** Returns true if the tenant has at least `count` applications. The read is eventually consistent. */
  areAtLeast(tenantId: string, count: number): Promise<boolean>;
}
export type ClientRecords = RecordStore<Client>;
export type OrganizationRecords = RecordStore<Organization>;

/** Store of resources. `reserveUri` ensures that only one resource of a tenant has a given URI. */
export interface ResourceRecords extends RecordStore<Resource> {
  /**
   * Reserves a URI. Returns true if the URI now belongs to this resource, and false if it belongs to another existing resource.
   */
  reserveUri(tenantId: string, uri: string, resourceId: string): Promise<boolean>;
  /**
   * Releases the URI if this resource still has it and has reserved it at `reservedUpTo` (epoch seconds with a fractional part)
   * or earlier. If a concurrent change reserves the URI again, the reservation is later than `reservedUpTo` and stays.
   */
  releaseUri(tenantId: string, uri: string, resourceId: string, reservedUpTo: number): Promise<void>;
}

/** Owners of resource URIs. A URI belongs to one tenant of the environment, because all tenants share issuer and keys. */
export interface UriOwners {
  /**
   * Reserves the URI for the tenant. Returns true if the URI now belongs to the tenant, or already did. Returns false while
   * another tenant uses or has reserved the URI, or if its host is reserved for another tenant. Exactly one of several
   * concurrent tenants succeeds.
   */
  reserve(tenantId: string, uri: string, at: number): Promise<boolean>;
  /**
   * Sets the time until which the URI belongs to the tenant without a resource. Call this before removing the last resource.
   */
  reserveUntil(tenantId: string, uri: string, until: number): Promise<void>;
}

export interface ReservedHost {
  readonly host: string;
  readonly tenantId: string;
}

/** Ownership of resource URIs and hosts, for management by `otl`. */
export interface UriOwnerRecords {
  /** Finds the ID of the tenant that owns the URI. Returns undefined if no tenant has reserved it. */
  find(uri: string): Promise<string | undefined>;
  /** Assigns the URI to the tenant, even if another tenant had it before. */
  assign(tenantId: string, uri: string, at: number): Promise<void>;
  /** Revokes the tenant's right to request tokens for the URI. Returns false if the tenant had no such right. */
  revoke(tenantId: string, uri: string): Promise<boolean>;
  listHosts(): Promise<readonly ReservedHost[]>;
  /** Reserves a host for the tenant. Returns false while another tenant has reserved it. */
  reserveHost(tenantId: string, host: string): Promise<boolean>;
  /** Releases a reserved host. Returns false if it is not reserved for this tenant. */
  freeHost(tenantId: string, host: string): Promise<boolean>;
}

/** Origins and native apps with which an application uses its passkeys. */
export type OriginsOfApplication = Pick<
  Application,
  'tenantId' | 'createdAt' | 'origins' | 'androidApps' | 'iosApps'
>;

export interface RelatedOrigins {
  /**
   * Lists the origins and native apps of applications with this RP ID. If `byDefault` is true, also includes applications
   * without an RP ID of their own. The list may be one minute old.
   */
  list(rpId: string, options: { readonly byDefault: boolean }): Promise<readonly OriginsOfApplication[]>;
}

export interface RpIds {
  /**
   * Fixes the RP ID of an application's passkeys before the first passkey is stored. A concurrent edit of the application then
   * fails. Returns false if another RP ID is set or fixed, or if the application does not exist.
   */
  fix(applicationId: string, rpId: string): Promise<boolean>;
}

/**
 * Issuer of an application's previous system. Until `until`, users can exchange a session of that system for one of this
 * service.
 */
export interface FormerIssuer {
  readonly applicationId: string;
  readonly issuer: string;
  /** Required audience of the ID tokens. A token with another audience is rejected. */
  readonly audience: string;
  readonly jwksUri: string;
  /** Time from which sessions can no longer be exchanged, in epoch seconds. */
  readonly until: number;
}

/**
 * Previous issuers of applications. No Lambda function has permission to call `put`, so that only operators can call it, with
 * their own AWS credentials.
 */
export interface FormerIssuers {
  /** Finds the previous issuer of an application. Returns undefined if its `until` has passed. */
  find(applicationId: string, at: number): Promise<FormerIssuer | undefined>;
  /** Stores the previous issuer of an application, in place of any issuer stored before. */
  put(former: FormerIssuer): Promise<void>;
  /** Removes the previous issuer of an application. Returns false if the application has none. */
  remove(applicationId: string): Promise<boolean>;
}
