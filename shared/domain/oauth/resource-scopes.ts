import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Resource, ResourceScope } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { isServiceScope } from '../claims/scope-claims.ts';
import { canUseResource, requireUsableResource } from '../sessions/audience.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  openIdRequired,
  splitWords,
} from './authorization-request.ts';
import { isDocumentClient } from './client-document.ts';
import { addConsentRequest } from './consent.ts';

type ResourcePorts = PortsWith<'resources' | 'resourcesOfTenant'>;

interface RequestingClient {
  readonly client: Client;
  readonly application: Application;
  /** Metadata document that identifies the client. Absent for registered clients. */
  readonly document?: { readonly refreshes: boolean } | undefined;
}

/**
 * Finds the resource that a request names (RFC 8707 §2), or else the resource that defines a requested scope. A client
 * identified by a metadata document gets tokens only for a resource, by default the application's only resource. Errors:
 * `resource_not_found`.
 */
async function findRequestedResource(
  ports: ResourcePorts,
  { client, application }: RequestingClient,
  [named]: readonly string[],
  requested: readonly string[],
): Promise<Resource | undefined> {
  if (named !== undefined) return requireUsableResource(ports, client, application, named);
  const needsOne = isDocumentClient(client);
  if (requested.length === 0 && !needsOne) return undefined;
  const known = await ports.resourcesOfTenant.list(client.tenantId);
  const own = known.filter((resource) => canUseResource(resource, application));
  const found = own.find(({ scopes = [] }) => scopes.some(({ name }) => requested.includes(name)));
  if (found || !needsOne) return found;
  if (own.length !== 1) throw new ServiceError('resource_not_found');
  return own[0];
}

const lowestMaxAge = (
  request: AuthorizationRequest,
  scopes: readonly ResourceScope[],
): number | undefined => {
  const ages = [request.maxAge, ...scopes.map(({ maxAge }) => maxAge)].filter((age) => age !== undefined);
  return ages.length === 0 ? undefined : Math.min(...ages);
};

/**
 * Adds the scopes that the resource grants: the requested scopes, or its default scopes if the request has no scope. Unknown
 * scopes are dropped; the token response lists the granted scopes (RFC 6749 §3.3). A scope may require a second factor or a
 * more recent login. Errors: `resource_not_found`; `system_invalid_input` if the request has neither `openid` nor a resource.
 */
export async function addResourceScopes(
  ports: ResourcePorts,
  requester: RequestingClient,
  request: AuthorizationRequest,
  parameters: AuthorizationParameters,
): Promise<AuthorizationRequest> {
  const requested = splitWords(parameters.scope).filter((name) => !isServiceScope(name));
  const resource = await findRequestedResource(ports, requester, request.resources, requested);
  if (!resource && !request.scope.split(' ').includes('openid')) throw openIdRequired();
  if (!resource) return request;
  const isSilent = splitWords(parameters.scope).length === 0;
  const granted = (resource.scopes ?? []).filter((scope) =>
    isSilent ? scope.default : requested.includes(scope.name),
  );
  const own = splitWords(request.scope);
  const read = omitUndefined<AuthorizationRequest>({
    ...request,
    resources: [resource.uri],
    scope: [...own, ...granted.map(({ name }) => name)].join(' '),
    maxAge: lowestMaxAge(request, granted),
  });
  if (!isDocumentClient(requester.client))
    return { ...read, requireMfa: request.requireMfa || granted.some(({ acr }) => acr === 'mfa') };
  // The consent decides whether a second factor is required: a scope that the user deselects must not require one.
  const ofService = own.filter((name) => name !== 'offline_access').map((name) => ({ name }));
  return addConsentRequest(read, requester, { resource: resource.uri, scopes: [...ofService, ...granted] });
}
