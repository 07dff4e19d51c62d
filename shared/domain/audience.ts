import { ServiceError } from '../errors/service-error.ts';
import type { Application, Client, Resource, Resources } from '../ports/directory.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_TOKEN_SECONDS,
  REFRESH_FAMILY_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from './limits.ts';

/** For whom tokens are made, and how long they live, in seconds. */
export interface Audience {
  readonly uri: string;
  /** The requested resource; absent when the default audience is meant. */
  readonly resource?: string;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly maxRefreshRotateSeconds: number;
}

function belongsTo(resource: Resource, application: Application): boolean {
  if (resource.applicationId !== undefined) return resource.applicationId === application.applicationId;
  return application.resourceIds.includes(resource.resourceId);
}

/**
 * The audience of a token request: the resource that was asked for, which must be one of the application's, or the
 * default. Lifetimes come from the resource, else from the client, else from the service.
 * Errors: `resource_not_found`.
 */
export async function resolveAudience(
  ports: { readonly resources: Resources },
  caller: { readonly client: Client; readonly application?: Application },
  requested: string | undefined,
  settings: { readonly defaultAudience: string },
): Promise<Audience> {
  const { client, application } = caller;
  if (requested === undefined) {
    const service = client.kind === 'management' ? CLIENT_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS;
    return {
      uri: settings.defaultAudience,
      accessTokenSeconds: client.accessTokenSeconds ?? service,
      refreshTokenSeconds: client.refreshTokenSeconds ?? REFRESH_TOKEN_SECONDS,
      maxRefreshRotateSeconds: client.maxRefreshRotateSeconds ?? REFRESH_FAMILY_SECONDS,
    };
  }
  const resource = await ports.resources.findByUri(client.tenantId, requested);
  if (!resource || (application && !belongsTo(resource, application)))
    throw new ServiceError('resource_not_found');
  return {
    uri: resource.uri,
    resource: resource.uri,
    accessTokenSeconds: resource.accessTokenSeconds,
    refreshTokenSeconds: resource.refreshTokenSeconds,
    maxRefreshRotateSeconds: resource.maxRefreshRotateSeconds,
  };
}
