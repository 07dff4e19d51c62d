import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { requireLoginUser } from '../../shared/domain/login-user.ts';
import { checkMagicLink, consumeMagicLink } from '../../shared/domain/magic-link.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { isStillReachable } from '../../shared/domain/proven-address.ts';
import { requireJoinable } from '../../shared/domain/session.ts';
import { together } from '../../shared/domain/together.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { completeLogin, tokenResponse } from '../../shared/tokens/complete-login.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { authenticateMagicLink as operation } from '../rows/one-time.ts';

/** A2. Validates the code that a magic link brought to the caller and returns user tokens. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { application, tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const [audience, link] = await together(
    resolveAudience(ports, caller, json.resource, settings),
    checkMagicLink(ports, {
      applicationId: application.applicationId,
      code: json.code,
      requestId: json.request_id,
    }),
  );
  const { userId } = link;
  audit({ userId, channel: link.channel });
  const whose = { userId, tenantId: tenant.tenantId, applicationId: application.applicationId };
  const [user, joined, membership] = await together(
    requireLoginUser(ports, tenant.tenantId, userId),
    requireJoinable(ports, whose, json.session_id),
    requireMembership(ports, tenant.tenantId, userId, json.org_id),
  );
  if (!isStillReachable(tenant, user, link.deliveredToHash))
    throw new ServiceError('magic_link_code_invalid');
  const proof = await consumeMagicLink(ports, link);
  const login = await completeLogin(ports, {
    proof,
    caller,
    issuer: settings.issuer,
    user,
    joined,
    methods: [{ method: proof.method, at: proof.at }],
    membership,
    audience,
    claims,
    device,
    scope: USER_SCOPE,
    offlineAccess: true,
  });
  audit({ method: proof.method, sessionId: login.session.sessionId });
  return { json: tokenResponse(login) };
};

export const handler = lambda(operation, useCase);
