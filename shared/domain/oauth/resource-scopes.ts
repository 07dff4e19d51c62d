import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, Resource, ResourceScope } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { isServiceScope } from '../claims/scope-claims.ts';
import { belongsTo, requireResourceOf } from '../sessions/audience.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  needsOpenId,
  words,
} from './authorization-request.ts';
import { isByDocument } from './client-document.ts';
import { askingConsent } from './consent.ts';

type ResourcePorts = Using<'resources' | 'resourcesOfTenant'>;

interface Asking {
  readonly client: Client;
  readonly application: Application;
  /** Of a client by document. */
  readonly document?: { readonly refreshes: boolean } | undefined;
}

/**
 * The resource that a request names (RFC 8707 §2), or the one that has a scope of it. A client by document gets tokens for a
 * resource alone: without either, that is the only one of the application. Errors: `resource_not_found`.
 */
async function resourceOf(
  ports: ResourcePorts,
  { client, application }: Asking,
  [named]: readonly string[],
  asked: readonly string[],
): Promise<Resource | undefined> {
  if (named !== undefined) return requireResourceOf(ports, client, application, named);
  const needsOne = isByDocument(client);
  if (asked.length === 0 && !needsOne) return undefined;
  const known = await ports.resourcesOfTenant.list(client.tenantId);
  const own = known.filter((resource) => belongsTo(resource, application));
  const found = own.find(({ scopes = [] }) => scopes.some(({ name }) => asked.includes(name)));
  if (found || !needsOne) return found;
  if (own.length !== 1) throw new ServiceError('resource_not_found');
  return own[0];
}

const youngest = (request: AuthorizationRequest, scopes: readonly ResourceScope[]): number | undefined => {
  const ages = [request.maxAge, ...scopes.map(({ maxAge }) => maxAge)].filter((age) => age !== undefined);
  return ages.length === 0 ? undefined : Math.min(...ages);
};

/**
 * The request with what its resource grants: the scopes that it names, or those of a request without any. Unknown ones are
 * dropped; the answer says which were granted (RFC 6749 §3.3). A scope may take a second factor, or a younger login.
 * Errors: `resource_not_found`; `system_invalid_input` without `openid` and without a resource.
 */
export async function withScopesOfResource(
  ports: ResourcePorts,
  asking: Asking,
  request: AuthorizationRequest,
  parameters: AuthorizationParameters,
): Promise<AuthorizationRequest> {
  const asked = words(parameters.scope).filter((name) => !isServiceScope(name));
  const resource = await resourceOf(ports, asking, request.resources, asked);
  if (!resource && !request.scope.split(' ').includes('openid')) throw needsOpenId();
  if (!resource) return request;
  const isSilent = words(parameters.scope).length === 0;
  const granted = (resource.scopes ?? []).filter((scope) =>
    isSilent ? scope.default : asked.includes(scope.name),
  );
  const own = words(request.scope);
  const read = omitUndefined<AuthorizationRequest>({
    ...request,
    resources: [resource.uri],
    scope: [...own, ...granted.map(({ name }) => name)].join(' '),
    maxAge: youngest(request, granted),
  });
  if (!isByDocument(asking.client))
    return { ...read, requireMfa: request.requireMfa || granted.some(({ acr }) => acr === 'mfa') };
  // What the person takes off takes no second factor.
  const ofService = own.filter((name) => name !== 'offline_access').map((name) => ({ name }));
  return askingConsent(read, asking, { resource: resource.uri, scopes: [...ofService, ...granted] });
}
