import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { requireLoginUser } from '../../shared/domain/login-user.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { requireJoinable } from '../../shared/domain/session.ts';
import {
  checkApproval,
  consumeApproval,
  cryptoKeyArtifacts,
  findApproval,
} from '../../shared/domain/signed-approval.ts';
import { together } from '../../shared/domain/together.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { completeLogin, tokenResponse } from '../../shared/tokens/complete-login.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { authenticateApproval as operation } from '../rows/approvals.ts';

/** Validates what a device key signed and returns user tokens, with what proves the approval to anybody. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { application, tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const approval = await findApproval(ports, caller, json.approval_id);
  const { userId } = approval;
  audit({ userId });
  const whose = { userId, application };
  const [checked, user, joined, membership] = await together(
    // First, so that nobody learns anything of a user without a signature.
    checkApproval(ports, approval, { keyId: json.key_id, signature: json.signature }),
    requireLoginUser(ports, tenant.tenantId, userId),
    requireJoinable(ports, whose, json.session_id),
    requireMembership(ports, tenant.tenantId, userId, json.org_id),
  );
  const proof = await consumeApproval(ports, checked);
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
  return { json: tokenResponse(login, cryptoKeyArtifacts(checked)) };
};

export const handler = lambda(operation, useCase);
