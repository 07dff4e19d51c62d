// Checks and completion shared by the operations that log a user in through the API (SPEC A2 and A4, passkeys, device keys).
import { awaitAll } from '../../domain/basis/await-all.ts';
import { lastUses } from '../../domain/credentials/mfa.ts';
import { requireMembership } from '../../domain/organizations/membership.ts';
import type { ProvenLogin } from '../../domain/sessions/login.ts';
import { requireJoinable } from '../../domain/sessions/session.ts';
import { hasEnded } from '../../domain/trust/generations.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller, OperationRequest, OperationRow, Settings } from '../../operation.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { requireBearerClient } from '../../tokens/dpop.ts';
import { USER_SCOPE } from '../../tokens/issue.ts';
import { completeLogin, type LoginPorts, tokenResponse } from './complete-login.ts';

interface LoginOptions {
  readonly session_id?: string | undefined;
  readonly org_id?: string | undefined;
}

interface CredentialCall {
  readonly caller: ClientCaller;
  readonly json: LoginOptions;
  readonly request: { readonly now: number };
}

export type LoginSubject = Pick<ProvenLogin, 'user' | 'joined' | 'membership'>;

/** Runs the checks that need the user, before the credential is consumed. If a check fails, the credential stays usable. */
export async function requireLoginSubject(
  ports: PortsWith<'users.find' | 'sessions.find' | 'memberships' | 'organizations'>,
  { caller: { tenant, application, client }, json: options, request: { now } }: CredentialCall,
  userId: string,
): Promise<LoginSubject> {
  requireBearerClient(client);
  const { tenantId } = tenant;
  const [user, joined, membership] = await awaitAll(
    requireLoginUser(ports, tenantId, userId),
    requireJoinable(ports, { userId, application }, options.session_id, now),
    requireMembership(ports, tenantId, userId, options.org_id),
  );
  if (joined && hasEnded(user, joined)) throw new ServiceError('session_not_found');
  return { user, joined, membership };
}

export interface BackendLogin
  extends LoginSubject,
    Pick<ProvenLogin, 'proof' | 'audience' | 'claims' | 'caller' | 'device' | 'noted' | 'ids'> {
  /** Factor that the user has used in this login, in the form in which the session stores it. */
  readonly use: MethodUse;
  readonly settings: Settings;
  readonly audit: OperationRequest<OperationRow>['audit'];
}

/**
 * Completes a login through the API and returns its token response, which always contains a refresh token.
 * @param artifacts Evidence of the data that the user signed, returned as `signing_artifacts`
 */
export async function answerLogin<Artifacts = undefined>(
  ports: LoginPorts,
  { settings, audit, use, ...login }: BackendLogin,
  artifacts?: Artifacts,
) {
  const { method, at } = login.proof;
  const { joined } = login;
  const methods = [use];
  const completed = await completeLogin(ports, {
    ...login,
    issuer: settings.issuer,
    methods,
    factors: lastUses(...(joined?.methods ?? []), ...methods),
    at,
    scope: USER_SCOPE,
    offlineAccess: true,
  });
  audit({ method, sessionId: completed.session.sessionId });
  return { json: tokenResponse(completed, artifacts) };
}
