import { invalidInput } from '../../errors/service-error.ts';
import type { Resource } from '../../ports/directory.ts';
import type { ResourceFields, ResourceRecord } from '../../schemas/resources.ts';
import { URI_MAX } from '../basis/limits.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { readTokenLifetime } from './lifetimes.ts';

/** SPEC "Resource record". */
export function resourceRecord(resource: Resource): ResourceRecord {
  return allFields<ResourceRecord>({
    resource_id: resource.resourceId,
    tenant_id: resource.tenantId,
    name: resource.name,
    description: resource.description,
    uri: resource.uri,
    access_token_ttl: resource.accessTokenSeconds,
    refresh_token_ttl: resource.refreshTokenSeconds,
    max_refresh_rotate: resource.maxRefreshRotateSeconds,
    created_at: wireDate(resource.createdAt),
    updated_at: wireDate(resource.updatedAt),
  });
}

/** RFC 8707 §2: absolute, without fragment. Kept as written, for audiences are compared character by character. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/i;

function checkUri(uri: string): void {
  if (uri.length > URI_MAX || !ABSOLUTE_URI.test(uri) || !URL.canParse(uri))
    throw invalidInput(`uri: must be an absolute URI without fragment, at most ${URI_MAX} characters`);
}

/** What never changes of a resource. */
export type ResourceIdentity = Pick<Resource, 'resourceId' | 'tenantId' | 'applicationId' | 'createdAt'>;

/** The resource with these fields. Errors: `system_invalid_input`. */
export function resourceWithFields(resource: ResourceIdentity, fields: ResourceFields, at: number): Resource {
  checkUri(fields.uri);
  return allFields<Resource>({
    resourceId: resource.resourceId,
    tenantId: resource.tenantId,
    applicationId: resource.applicationId,
    name: fields.name,
    description: fields.description ?? undefined,
    uri: fields.uri,
    accessTokenSeconds: readTokenLifetime('access_token_ttl', fields.access_token_ttl),
    refreshTokenSeconds: readTokenLifetime('refresh_token_ttl', fields.refresh_token_ttl),
    maxRefreshRotateSeconds: readTokenLifetime('max_refresh_rotate', fields.max_refresh_rotate),
    createdAt: resource.createdAt,
    updatedAt: at,
  });
}
