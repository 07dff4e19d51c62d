import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { parseUserId } from '../../shared/domain/basis/random.ts';
import { readClaimsRequest } from '../../shared/domain/claims/claims-request.ts';
import { requireMembership } from '../../shared/domain/organizations/membership.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import {
  findSessionOfClient,
  provenBySession,
  requireSessionOfClient,
} from '../../shared/domain/sessions/session-of-client.ts';
import { sessionRecord } from '../../shared/domain/sessions/session-record.ts';
import { hasEnded } from '../../shared/domain/trust/generations.ts';
import { requireMayChange } from '../../shared/domain/users/authority.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { completeInSession, tokenResponse } from '../../shared/flows/login/complete-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import { requireBearerClient } from '../../shared/tokens/dpop.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

/** Issues user tokens for a live session, with the authentication methods of that session. */
export const authenticateSession: UseCase<typeof rows.authenticateSession> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { tenant } = caller;
  requireBearerClient(caller.client);
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  const userId = parseUserId(json.session_id);
  audit({ ...device, userId });
  const audience = await resolveAudience(ports, caller, json.resource, settings);
  const [session, user, membership] = await awaitAll(
    requireSessionOfClient(ports, caller, json.session_id, request.now),
    requireLoginUser(ports, tenant.tenantId, userId),
    requireMembership(ports, tenant.tenantId, userId, json.org_id),
  );
  if (hasEnded(user, session)) throw new ServiceError('session_not_found');
  const login = await completeInSession(ports, {
    proof: provenBySession(session),
    caller,
    issuer: settings.issuer,
    user,
    joined: session,
    methods: [],
    factors: session.methods,
    membership,
    audience,
    claims,
    device,
    scope: USER_SCOPE,
    offlineAccess: true,
    at: request.now,
  });
  audit({ sessionId: session.sessionId });
  return { json: tokenResponse(login) };
};

/** Lists the live sessions of a user of the caller's tenant. A client sees only the sessions of its own application. */
export const listSessions: UseCase<typeof rows.listSessions> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const [, sessions] = await awaitAll(
    requireReachableUser(ports, { caller, settings, request }, path.userId),
    ports.sessions.listOf(path.userId, request.now),
  );
  const isVisible = ({ applicationId }: Session) =>
    caller.kind !== 'client' || applicationId === caller.application.applicationId;
  return { json: sessions.filter(isVisible).map(sessionRecord) };
};

/** Ends all sessions of a user of the caller's tenant, or of the calling user, together with their refresh tokens. */
export const endSessions: UseCase<typeof rows.endSessions> = async (
  { path, caller, request, settings, audit },
  ports,
) => {
  audit({ userId: path.userId });
  const user = await requireReachableUser(ports, { caller, settings, request }, path.userId);
  if (caller.kind !== 'user')
    await requireMayChange(ports, caller, user, { permission: 'users:edit', effect: 'closes' });
  await ports.sessions.endAllOf(path.userId, request.now);
  return { none: true };
};

/**
 * Ends a session of the caller's application together with its refresh tokens. Succeeds even if the session has already ended.
 */
export const logoutSession: UseCase<typeof rows.logoutSession> = async (
  { json, caller, request, audit },
  ports,
) => {
  const session = await findSessionOfClient(ports, caller, json.session_id, request.now);
  if (session) {
    const { sessionId, userId } = session;
    audit({ sessionId, userId });
    await ports.sessions.end(sessionId, request.now);
  }
  return { none: true };
};

/**
 * Ends the session of the access token, whatever resource the token is for (SPEC C). Responds with the count 0 if the session
 * had already ended.
 */
export const logout: UseCase<typeof rows.logout> = async ({ caller, request }, ports) => {
  const ended = await ports.sessions.end(caller.sessionId, request.now);
  return { json: { sessions_count: ended ? 1 : 0 } };
};
