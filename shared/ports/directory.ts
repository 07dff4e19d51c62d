/**
 * Configuration: who may call, for which application, with which settings. No personal data.
 * Reads may be up to 60 s old (each container caches what it found), unless `fresh` is asked for.
 */

import type { applicationFields, roleFields } from '../records/application.ts';
import type { clientFields, clientSecretFields } from '../records/client.ts';
import type { Given, Made, Shown, Stored } from '../records/field.ts';
import type { organizationFields } from '../records/organization.ts';
import type { resourceFields, scopeFields } from '../records/resource.ts';
import type { tenantFields } from '../records/tenant.ts';

export type { PublicJwk } from '../records/client.ts';

export interface Tenant extends Stored<typeof tenantFields> {}
/** A tenant as operators see it; its salt stays inside. */
export interface TenantRecord extends Shown<typeof tenantFields> {}
export interface TenantFields extends Given<typeof tenantFields> {}

export interface Role extends Stored<typeof roleFields> {}

export interface Application extends Stored<typeof applicationFields> {}
/** An application, and the tenant that it belongs to. */
export interface ApplicationOfTenant {
  readonly tenant: Tenant;
  readonly application: Application;
}
export interface ClientOfTenant extends ApplicationOfTenant {
  readonly client: Client;
}
/** An application as operators see it. */
export interface ApplicationRecord extends Shown<typeof applicationFields> {}
export interface ApplicationFields extends Given<typeof applicationFields> {
  /** Added to the others in the same change. */
  readonly add_redirect_uris?: readonly string[] | undefined;
}

export interface Client extends Stored<typeof clientFields> {}
export interface ClientRecord extends Shown<typeof clientFields> {}
export interface ClientFields extends Given<typeof clientFields> {}
export interface ClientSecret extends Stored<typeof clientSecretFields> {}
export type ClientAuthMethod = NonNullable<Client['authMethod']>;
export type TokenAlgorithm = NonNullable<Client['idTokenSignedResponseAlg']>;

export interface Resource extends Stored<typeof resourceFields> {}
export interface ResourceScope extends Stored<typeof scopeFields> {}
export interface ResourceRecord extends Shown<typeof resourceFields> {}
export interface NewResourceFields extends Made<typeof resourceFields> {}
export interface ResourceFields extends Given<typeof resourceFields> {}

export interface Organization extends Stored<typeof organizationFields> {}
export interface OrganizationRecord extends Shown<typeof organizationFields> {}
export interface NewOrganizationFields extends Made<typeof organizationFields> {}
export interface OrganizationFields extends Given<typeof organizationFields> {}

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
/** The applications of a tenant, where a request names a resource of the tenant alone. */
export interface ApplicationsOfTenant {
  list(tenantId: string): Promise<readonly Application[]>;
}
/** All resources of a tenant, where a request names none. */
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
export interface ApplicationRecords extends RecordStore<Application> {
  /** Whether the tenant has so many. Found by a list: see there. */
  areAtLeast(tenantId: string, count: number): Promise<boolean>;
}
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

/** The system that the users of an application come from, while their sessions there may be exchanged for one here. */
export interface FormerIssuer {
  readonly applicationId: string;
  readonly issuer: string;
  /** The only one of its ID tokens that is taken. */
  readonly audience: string;
  readonly jwksUri: string;
  /** From then on nothing is exchanged, epoch seconds. */
  readonly until: number;
}

/** No function may put it: the operator's own credentials do. */
export interface FormerIssuers {
  /** Undefined from `until` on. */
  find(applicationId: string, at: number): Promise<FormerIssuer | undefined>;
  /** In the place of the former one, if any. */
  put(former: FormerIssuer): Promise<void>;
  /** False when there is none. */
  remove(applicationId: string): Promise<boolean>;
}
