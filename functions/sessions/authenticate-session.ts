import { lambda } from '../../shared/aws/lambda.ts';
import { together } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/oauth/claims-request.ts';
import { requireMembership } from '../../shared/domain/organizations/membership.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import {
  provenBySession,
  requireSessionOfClient,
  userOfSession,
} from '../../shared/domain/sessions/session-of-client.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { completeInSession, tokenResponse } from '../../shared/flows/login/complete-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { authenticateSession as operation } from './rows.ts';

/** Issues user tokens for a session that lives: what has been proven in it still is. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  const userId = userOfSession(json.session_id);
  audit({ ...device, userId });
  const audience = await resolveAudience(ports, caller, json.resource, settings);
  const [session, user, membership] = await together(
    requireSessionOfClient(ports, caller, json.session_id),
    requireLoginUser(ports, tenant.tenantId, userId),
    requireMembership(ports, tenant.tenantId, userId, json.org_id),
  );
  const login = await completeInSession(ports, {
    proof: provenBySession(session),
    caller,
    issuer: settings.issuer,
    user,
    joined: session,
    methods: [],
    membership,
    audience,
    claims,
    device,
    scope: USER_SCOPE,
    offlineAccess: true,
  });
  audit({ sessionId: session.sessionId });
  return { json: tokenResponse(login) };
};

export const handler = lambda(operation, useCase);
