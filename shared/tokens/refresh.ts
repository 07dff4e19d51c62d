import { resolveAudience } from '../domain/audience.ts';
import { readClaimsRequest } from '../domain/claims-request.ts';
import { present } from '../domain/present.ts';
import {
  endFamily,
  type FoundFamily,
  findFamily,
  parseRefreshToken,
  type RefreshToken,
  refused,
  rotateRefreshToken,
} from '../domain/refresh-token.ts';
import { together } from '../domain/together.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ClientCaller } from '../operation.ts';
import type { Ports } from '../ports/index.ts';
import type { Membership, User } from '../ports/people.ts';
import { issueUserTokens, type UserTokenFacts, type UserTokens } from './issue.ts';

export type RefreshPorts = Pick<
  Ports,
  'sessions' | 'users' | 'memberships' | 'resources' | 'signingKeys' | 'signer'
>;

export interface RefreshRequest {
  readonly refreshToken: string;
  /** RFC 6749 §6: narrows, never widens. */
  readonly scope: string | undefined;
  readonly resource: string | undefined;
  readonly dpopJkt: string | undefined;
}

export interface Refreshed {
  readonly tokens: UserTokens;
  readonly refreshToken: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly scope: string;
}

type Caller = Pick<ClientCaller, 'client' | 'tenant' | 'application'>;

/** Errors: `invalid_scope` when more is asked for than was granted. */
function narrowScope(granted: string, requested: string | undefined): string {
  if (requested === undefined) return granted;
  const asked = requested.split(' ').filter((name) => name !== '');
  const own = granted.split(' ');
  if (asked.length === 0 || asked.some((name) => !own.includes(name)))
    throw new ServiceError('invalid_scope');
  return asked.join(' ');
}

/** A token of another client, or without its key, is refused and changes nothing: its owner is not at fault. */
function requireOwner(found: FoundFamily, caller: Caller, dpopJkt: string | undefined): void {
  const own =
    found.session.tenantId === caller.tenant.tenantId && found.family.clientId === caller.client.clientId;
  if (!own) throw refused();
  if (found.family.dpopJkt !== undefined && found.family.dpopJkt !== dpopJkt)
    throw new ServiceError('invalid_grant', { message: 'DPoP: the refresh token is bound to another key' });
}

/** What the family was made for must still be: a disabled user or a removed member ends it. */
async function requireEntitled(
  ports: RefreshPorts,
  token: RefreshToken,
  { session, family }: FoundFamily,
  user: User | undefined,
): Promise<{ readonly user: User; readonly membership: Membership | undefined }> {
  const entitled = user?.tenantId === session.tenantId && user.status !== 'Disabled';
  if (!user || !entitled) return endFamily(ports, token);
  const { organizationId } = family;
  if (organizationId === undefined) return { user, membership: undefined };
  const membership = await ports.memberships.find(user.userId, organizationId);
  if (membership?.tenantId !== session.tenantId) return endFamily(ports, token);
  return { user, membership };
}

/**
 * Issues new tokens for a refresh token and puts a successor in its place.
 * Errors: `invalid_grant`, `invalid_scope`, `resource_not_found`.
 */
export async function refreshTokens(
  ports: RefreshPorts,
  caller: Caller,
  request: RefreshRequest,
  settings: { readonly issuer: string; readonly defaultAudience: string },
): Promise<Refreshed> {
  const token = parseRefreshToken(request.refreshToken);
  if (!token) throw refused();
  const [found, owner] = await together(findFamily(ports, token), ports.users.find(token.userId));
  if (!found) throw refused();
  requireOwner(found, caller, request.dpopJkt);
  const { session, family } = found;
  const scope = narrowScope(family.scope, request.scope);
  if (request.resource !== undefined && request.resource !== family.resource)
    throw new ServiceError('resource_not_found');
  const [audience, { user, membership }] = await together(
    resolveAudience(ports, caller, family.resource, settings),
    requireEntitled(ports, token, found, owner),
  );
  const rotation = await rotateRefreshToken(ports, found, token, audience.refreshTokenSeconds);
  const tokens = await issueUserTokens(
    ports,
    present<UserTokenFacts>({
      proof: rotation.proof,
      issuer: settings.issuer,
      client: caller.client,
      applicationId: caller.application.applicationId,
      user,
      newUser: false,
      session,
      membership,
      audience,
      scope,
      claims: readClaimsRequest(family.claims === undefined ? undefined : JSON.parse(family.claims)),
      familyId: family.familyId,
      nonce: family.nonce,
      dpopJkt: family.dpopJkt,
      reissue: { jti: rotation.jti, at: rotation.at },
    }),
  );
  return {
    tokens,
    refreshToken: rotation.refreshToken,
    sessionId: session.sessionId,
    userId: user.userId,
    scope,
  };
}
