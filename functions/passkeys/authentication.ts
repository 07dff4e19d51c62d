import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/claims/claims-request.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { passkeyArtifacts } from '../../shared/domain/passkeys/passkey-artifacts.ts';
import {
  beginPasskeyLogin,
  checkPasskey,
  findChallengeAndOwner,
  requireNamedUser,
  requireOwnChallenge,
  usePasskey,
} from '../../shared/domain/passkeys/passkey-login.ts';
import { toRelyingParty } from '../../shared/domain/passkeys/relying-party.ts';
import { readAuthentication } from '../../shared/domain/passkeys/webauthn-result.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { answerLogin, requireLoginSubject } from '../../shared/flows/login/backend-login.ts';
import { requireSufficientCredential } from '../../shared/flows/login/open-credential.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireApplicationOfClient } from './place.ts';
import type * as rows from './rows.ts';

/** Starts a login by passkey, or the signing of an approval, on a page of the application. */
export const startPasskeyLogin: UseCase<typeof rows.startPasskeyLogin> = async (
  { json, request, settings, audit, allowOrigins },
  ports,
) => {
  const approvalData = readApprovalData(json.approval_data);
  const { tenant, application } = await requireApplicationOfClient(ports, json.client_id);
  audit({ clientId: json.client_id, applicationId: application.applicationId, tenantId: tenant.tenantId });
  const relyingParty = toRelyingParty(application, settings);
  allowOrigins(relyingParty.origins);
  const place = { tenant, application, relyingParty };
  return {
    json: await beginPasskeyLogin(ports, place, { username: json.username, approvalData }, request.now),
  };
};

/** Verifies a passkey's signature and returns user tokens. For an approval, also returns the proof of the approval. */
export const authenticatePasskey: UseCase<typeof rows.authenticatePasskey> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { application, tenant } = caller;
  const claims = readClaimsRequest(json.claims);
  const approvalData = readApprovalData(json.approval_data);
  const result = readAuthentication(json.webauthn_encoded_result);
  const told = readDevice(json);
  const device = result.userAgent === undefined ? told : { userAgent: result.userAgent, ...told };
  audit(device);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const sought = await findChallengeAndOwner(ports, result, request.now);
  const presented = requireOwnChallenge(caller, result, sought, { approvalData });
  const { userId } = presented;
  const relyingParty = toRelyingParty(application, settings);
  const [checked, person] = await awaitAll(
    // The signature is checked first: without a valid one the response must reveal nothing about the user.
    checkPasskey(ports, { tenant, application, relyingParty }, presented),
    requireLoginSubject(ports, { caller, json, request }, userId),
  );
  audit({ userId });
  const { user, joined } = person;
  requireNamedUser(tenant, presented, user);
  const { passkey } = checked;
  const { use, settled } = await requireSufficientCredential(
    ports,
    { ...caller, user, joined },
    { id: passkey.credentialId, trust: passkey },
    request.now,
  );
  return usePasskey(ports, checked, request.now, async (proof) => {
    if (settled) await ports.passkeys.updateTrust(userId, passkey.credentialId, settled);
    return answerLogin(
      ports,
      { ...person, proof, use, audience, caller, settings, claims, device, audit },
      passkeyArtifacts(checked),
    );
  });
};
