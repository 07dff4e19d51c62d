import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Resource } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_TOKEN_SECONDS,
  REFRESH_FAMILY_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '../basis/limits.ts';

/** The audience of tokens, and their lifetimes in seconds. */
export interface Audience {
  readonly aud: string | readonly string[];
  /** The requested resource; absent when the default audience is meant. */
  readonly resource?: string;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly maxRefreshRotateSeconds: number;
}

/** A resource of the application itself, or one that the tenant gave to it. */
export function belongsTo(resource: Resource, application: Application): boolean {
  if (resource.applicationId !== undefined) return resource.applicationId === application.applicationId;
  return application.resourceIds.includes(resource.resourceId);
}

/** A resource that the application may ask tokens for. Errors: `resource_not_found`. */
export async function requireResourceOf(
  ports: Using<'resources'>,
  { tenantId }: Pick<Client, 'tenantId'>,
  application: Application | undefined,
  uri: string,
): Promise<Resource> {
  const resource = await ports.resources.findByUri(tenantId, uri);
  if (!resource || (application && !belongsTo(resource, application)))
    throw new ServiceError('resource_not_found');
  return resource;
}

/** The lifetimes of a request without a resource, or of the identity-verification variant. */
function defaultLifetimes(client: Client): Omit<Audience, 'aud'> {
  const service = client.kind === 'management' ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;
  return {
    accessTokenSeconds: client.accessTokenSeconds ?? service,
    refreshTokenSeconds: client.refreshTokenSeconds ?? REFRESH_TOKEN_SECONDS,
    maxRefreshRotateSeconds: client.maxRefreshRotateSeconds ?? REFRESH_FAMILY_SECONDS,
  };
}

/**
 * The audience of a token request: the requested resource (RFC 8707 §2), which must belong to the application, or the default.
 * Lifetimes come from the resource, else from the client, else from the service. Errors: `resource_not_found`.
 */
export async function resolveAudience(
  ports: Using<'resources'>,
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
  const resource = await requireResourceOf(ports, client, application, requested);
  return {
    aud: resource.uri,
    resource: resource.uri,
    accessTokenSeconds: resource.accessTokenSeconds,
    refreshTokenSeconds: resource.refreshTokenSeconds,
    maxRefreshRotateSeconds: resource.maxRefreshRotateSeconds,
  };
}

/**
 * The audience of a client token (SPEC D). Its identity-verification variant is for one fixed resource, which is no
 * application's; where none is set, the variant does not exist. A management client may do everything in its tenant, so its
 * tokens live an hour at most. Errors: `resource_not_found`.
 */
export async function resolveClientAudience(
  ports: Using<'resources'>,
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
