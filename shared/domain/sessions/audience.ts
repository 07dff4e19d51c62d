import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Resource } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_TOKEN_SECONDS,
  REFRESH_FAMILY_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '../basis/limits.ts';

/** Audience of tokens, with their lifetimes in seconds. */
export interface Audience {
  readonly aud: string | readonly string[];
  /** Requested resource. Absent if the tokens are for the default audience. */
  readonly resource?: string;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly maxRefreshRotateSeconds: number;
}

/** Returns true if an application may use a resource: its own resource, or a resource of the tenant that was assigned to it. */
export function canUseResource(resource: Resource, application: Application): boolean {
  if (resource.applicationId !== undefined) return resource.applicationId === application.applicationId;
  return application.resourceIds.includes(resource.resourceId);
}

/** Finds a resource by its URI if the application may request tokens for it. Errors: `resource_not_found`. */
export async function requireUsableResource(
  ports: PortsWith<'resources'>,
  { tenantId }: Pick<Client, 'tenantId'>,
  application: Application | undefined,
  uri: string,
): Promise<Resource> {
  const resource = await ports.resources.findByUri(tenantId, uri);
  if (!resource || (application && !canUseResource(resource, application)))
    throw new ServiceError('resource_not_found');
  return resource;
}

/** Returns the lifetimes of tokens for the default audience or for the identity verification resource. */
function defaultLifetimes(client: Client): Omit<Audience, 'aud'> {
  const service = client.kind === 'management' ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;
  return {
    accessTokenSeconds: client.accessTokenSeconds ?? service,
    refreshTokenSeconds: client.refreshTokenSeconds ?? REFRESH_TOKEN_SECONDS,
    maxRefreshRotateSeconds: client.maxRefreshRotateSeconds ?? REFRESH_FAMILY_SECONDS,
  };
}

/**
 * Returns the audience of a token request: the requested resource (RFC 8707 §2), which must belong to the application, or the
 * default. Lifetimes come from the resource, else from the client, else from the service. Errors: `resource_not_found`.
 */
export async function resolveAudience(
  ports: PortsWith<'resources'>,
  caller: { readonly client: Client; readonly application?: Application },
  requested: string | undefined,
  settings: { readonly defaultAudience: string },
): Promise<Audience> {
  const { client, application } = caller;
  if (requested === undefined) {
    const { defaultAudience } = settings;
    const aud = application?.appIdAudience ? [defaultAudience, application.applicationId] : defaultAudience;
    return { aud, ...defaultLifetimes(client) };
  }
  const resource = await requireUsableResource(ports, client, application, requested);
  return {
    aud: resource.uri,
    resource: resource.uri,
    accessTokenSeconds: resource.accessTokenSeconds,
    refreshTokenSeconds: resource.refreshTokenSeconds,
    maxRefreshRotateSeconds: resource.maxRefreshRotateSeconds,
  };
}

/**
 * Returns the audience of a client token (SPEC D). Tokens for identity verification are valid for one configured resource,
 * which belongs to no application. Without this setting, requests for such tokens are rejected. Tokens of a management client
 * are valid for an hour at most, because the client has every permission in its tenant. Errors: `resource_not_found`.
 */
export async function resolveClientAudience(
  ports: PortsWith<'resources'>,
  caller: { readonly client: Client; readonly application?: Application },
  requested: string | undefined,
  settings: { readonly defaultAudience: string; readonly identityVerificationResource?: string },
): Promise<Audience> {
  const { identityVerificationResource: fixed } = settings;
  const audience =
    fixed !== undefined && requested === fixed
      ? { aud: fixed, ...defaultLifetimes(caller.client) }
      : await resolveAudience(ports, caller, requested, settings);
  if (caller.client.kind !== 'management') return audience;
  return { ...audience, accessTokenSeconds: Math.min(audience.accessTokenSeconds, CLIENT_TOKEN_SECONDS) };
}
