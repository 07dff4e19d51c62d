import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { requireLoginUser } from '../../shared/domain/login-user.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { passkeyArtifacts } from '../../shared/domain/passkey-artifacts.ts';
import {
  checkPasskey,
  consumePasskey,
  findPresentedPasskey,
  requireNamedUser,
} from '../../shared/domain/passkey-login.ts';
import { relyingPartyOf } from '../../shared/domain/relying-party.ts';
import { requireJoinable } from '../../shared/domain/session.ts';
import { together } from '../../shared/domain/together.ts';
import { readAuthentication } from '../../shared/domain/webauthn-result.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { completeLogin, tokenResponse } from '../../shared/tokens/complete-login.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { authenticatePasskey as operation } from '../rows/passkeys.ts';

/** Validates what a passkey signed and returns user tokens; of an approval, what proves it to anybody. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { application, tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const result = readAuthentication(json.webauthn_encoded_result);
  const told = readDevice(json);
  const device = result.userAgent === undefined ? told : { userAgent: result.userAgent, ...told };
  audit(device);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const presented = await findPresentedPasskey(ports, caller, result);
  const { userId } = presented;
  const whose = { userId, application };
  const relyingParty = relyingPartyOf(application, settings);
  const [checked, user, joined, membership] = await together(
    // First, so that nobody learns anything of a user without a signature.
    checkPasskey(ports, { tenant, relyingParty }, presented),
    requireLoginUser(ports, tenant.tenantId, userId),
    requireJoinable(ports, whose, json.session_id),
    requireMembership(ports, tenant.tenantId, userId, json.org_id),
  );
  audit({ userId });
  requireNamedUser(tenant, presented, user);
  const proof = await consumePasskey(ports, checked);
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
  return { json: tokenResponse(login, passkeyArtifacts(checked)) };
};

export const handler = lambda(operation, useCase);
