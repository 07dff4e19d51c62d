import { awaitAll } from '../../domain/basis/await-all.ts';
import { REFRESH_GRACE_SECONDS } from '../../domain/basis/limits.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { findRefreshRepeatSeconds } from '../../domain/oauth/client-document.ts';
import { findMembership } from '../../domain/organizations/membership.ts';
import { resolveAudience } from '../../domain/sessions/audience.ts';
import { readGrant } from '../../domain/sessions/login.ts';
import {
  endFamily,
  type FoundFamily,
  findFamily,
  invalidRefreshTokenError,
  keepsRefreshToken,
  parseRefreshToken,
  type RefreshToken,
  rotateRefreshToken,
} from '../../domain/sessions/refresh-token.ts';
import { meetsSessionSettings } from '../../domain/sessions/session-lifetimes.ts';
import { canLogInAt } from '../../domain/users/test-user.ts';
import { isSessionValid } from '../../domain/users/user-status.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller } from '../../operation.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { Application, Client } from '../../ports/directory.ts';
import type { Membership, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type DpopProof, spendDpopProof } from '../../tokens/dpop.ts';
import { issueUserTokens, type UserTokens } from '../../tokens/issue.ts';

export type RefreshPorts = PortsWith<
  | 'replays'
  | 'sessions.endFamily'
  | 'sessions.find'
  | 'sessions.renew'
  | 'sessions.rotate'
  | 'users.find'
  | 'memberships'
  | 'organizations'
  | 'resources'
  | 'signingKeys'
  | 'signer'
>;

export interface RefreshRequest {
  readonly refreshToken: string;
  /** Requested scopes, separated by spaces. All must have been granted (RFC 6749 §6). Undefined means all granted scopes. */
  readonly scope: string | undefined;
  readonly resource: string | undefined;
  readonly proof: DpopProof | undefined;
  /** Time of the request in epoch seconds. */
  readonly now: number;
  /** True if the DPoP proof is already consumed, because it came with a client token bound to the same key. */
  readonly proofSpent?: boolean;
}

export interface RefreshResult {
  readonly tokens: UserTokens;
  readonly refreshToken: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly scope: string;
  /** Additional audit events, such as `token.repeated`. */
  readonly events: readonly AuditEvent[];
}

type Caller = Pick<ClientCaller, 'client' | 'tenant' | 'application'> & {
  /**
   * Reads the client's record again, because the cached record may be a minute old. Resolves to undefined for a deleted client.
   */
  readonly confirm: () => Promise<Client | undefined>;
};

/** Returns the requested scopes, or all granted scopes if none are requested. Throws `invalid_scope` for other scopes. */
function narrowScope(granted: string, requested: string | undefined): string {
  if (requested === undefined) return granted;
  const scopes = requested.split(' ').filter((name) => name !== '');
  const own = granted.split(' ');
  if (scopes.length === 0 || scopes.some((name) => !own.includes(name)))
    throw new ServiceError('invalid_scope', {
      message: `scope: must be among those of the grant: ${granted}`,
    });
  return scopes.join(' ');
}

/**
 * Rejects a refresh token of another client, or one that is bound to a DPoP key which the request does not prove. The refresh
 * family is not revoked, because its owner is not at fault. Public clients, and confidential clients whose bound refresh tokens
 * are not rotated, must prove the same key as before. Other clients authenticate themselves, so they may prove any key (RFC
 * 9449 §5).
 */
function requireOwner(
  { session, family }: FoundFamily,
  { client, tenant }: Pick<Caller, 'client' | 'tenant'>,
  dpopJkt: string | undefined,
): void {
  if (session.tenantId !== tenant.tenantId || family.clientId !== client.clientId)
    throw invalidRefreshTokenError();
  if (family.dpopJkt === undefined) return;
  const { authMethod } = client;
  const needsSameKey =
    authMethod === 'none' || (authMethod !== 'private_key_jwt' && keepsRefreshToken(client, family));
  const holdsKey = needsSameKey ? dpopJkt === family.dpopJkt : dpopJkt !== undefined;
  if (!holdsKey)
    throw new ServiceError('invalid_grant', { message: 'DPoP: the refresh token is bound to a key' });
}

/**
 * Revokes the refresh family and throws `invalid_grant` if the client was deleted, if the user was disabled or has lost the
 * membership, or if the session's credentials were superseded.
 */
async function requireEntitled(
  ports: RefreshPorts,
  token: RefreshToken,
  { session, family }: FoundFamily,
  {
    client,
    user,
    application,
    now,
  }: {
    readonly client: Client | undefined;
    readonly user: User | undefined;
    readonly application: Application;
    readonly now: number;
  },
): Promise<{
  readonly client: Client;
  readonly user: User;
  readonly membership: Membership | undefined;
}> {
  if (!client || !isSessionValid(user, session) || !canLogInAt(user, application))
    return endFamily(ports, token, now);
  const { organizationId } = family;
  if (organizationId === undefined) return { client, user, membership: undefined };
  const membership = await findMembership(ports, session.tenantId, user.userId, organizationId);
  if (!membership) return endFamily(ports, token, now);
  return { client, user, membership };
}

/**
 * Issues tokens for a refresh token (RFC 6749 §6), and replaces the refresh token if the client's refresh tokens are rotated. A
 * response to a repeated request has the scope of the first response. Errors: `invalid_grant`, `invalid_scope`,
 * `resource_not_found`, `invalid_dpop_proof`.
 */
export async function refreshTokens(
  ports: RefreshPorts,
  caller: Caller,
  request: RefreshRequest,
  settings: { readonly issuer: string; readonly defaultAudience: string },
): Promise<RefreshResult> {
  const token = parseRefreshToken(request.refreshToken);
  if (!token) throw invalidRefreshTokenError();
  const { proof: key, now } = request;
  const [, found, user, client] = await awaitAll(
    key && !request.proofSpent ? spendDpopProof(ports, key, now) : Promise.resolve(),
    findFamily(ports, token, now),
    ports.users.find(token.userId),
    caller.confirm(),
  );
  if (!found) throw invalidRefreshTokenError();
  requireOwner(found, { ...caller, client: client ?? caller.client }, key?.jkt);
  if (!meetsSessionSettings(found.session, caller.application, now)) throw invalidRefreshTokenError();
  const { session, family } = found;
  const scopes = narrowScope(family.scope, request.scope);
  if (request.resource !== undefined && request.resource !== family.resource)
    throw new ServiceError('resource_not_found');
  const [audience, { client: confirmed, ...entitled }] = await awaitAll(
    resolveAudience(ports, caller, family.resource, settings),
    requireEntitled(ports, token, found, { client, user, application: caller.application, now }),
  );
  const rotation = await rotateRefreshToken(ports, found, token, {
    // The time after the reads: the grace period for a lost response starts with the rotation, and slow reads must not shorten
    // it.
    at: nowSeconds(),
    lifetimeSeconds: audience.refreshTokenSeconds,
    dpopJkt: key?.jkt,
    scope: scopes,
    client: confirmed,
    reuseSeconds: findRefreshRepeatSeconds(confirmed, caller.application, REFRESH_GRACE_SECONDS),
  });
  const { scope, isRepeated } = rotation;
  // A repeated response reuses the `jti` of the first response, so it must have the same scope. A narrower scope is rejected.
  narrowScope(scopes, scope);
  const tokens = await issueUserTokens(ports, {
    ...entitled,
    ...readGrant(family),
    ...rotation,
    caller,
    issuer: settings.issuer,
    audience,
    dpopJkt: key?.jkt,
    factors: found.family.methods,
    session,
    familyId: family.familyId,
    newUser: false,
  });
  return {
    tokens,
    refreshToken: rotation.refreshToken,
    sessionId: session.sessionId,
    userId: entitled.user.userId,
    scope,
    events: isRepeated ? ['token.repeated'] : [],
  };
}
