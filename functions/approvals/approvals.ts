import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/claims/claims-request.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import {
  beginApproval,
  checkApproval,
  cryptoKeyArtifacts,
  findApproval,
  useApproval,
} from '../../shared/domain/credentials/signed-approval.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import { answerLogin, requireLoginSubject } from '../../shared/flows/login/backend-login.ts';
import { requireSufficientCredential } from '../../shared/flows/login/open-credential.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Starts an approval: returns a challenge, which contains the data to approve, for the user's device to sign. */
export const startApproval: UseCase<typeof rows.startApproval> = async (
  { json, caller, request, audit },
  ports,
) => {
  audit({ userId: json.user_id });
  const approvalData = readApprovalData(json.approval_data) ?? {};
  const user = requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
  const asked = { approvalData, keyId: json.key_id };
  return { json: await beginApproval(ports, { ...caller, user }, asked, request.now) };
};

/** Verifies the signature of a device key. Returns user tokens and the proof that the user approved the data. */
export const authenticateApproval: UseCase<typeof rows.authenticateApproval> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const approval = await findApproval(ports, caller, json.approval_id, request.now);
  const { userId } = approval;
  audit({ userId });
  const [checked, person] = await awaitAll(
    // The signature is checked first: without a valid one the response must reveal nothing about the user.
    checkApproval(ports, caller, approval, { keyId: json.key_id, signature: json.signature }),
    requireLoginSubject(ports, { caller, json, request }, userId),
  );
  const { key } = checked;
  const { use, settled } = await requireSufficientCredential(
    ports,
    { ...caller, ...person },
    { id: key.keyId, trust: key },
    request.now,
  );
  return useApproval(ports, checked, request.now, async (proof) => {
    if (settled) await ports.deviceKeys.updateTrust(userId, key.keyId, settled);
    return answerLogin(
      ports,
      { ...person, proof, use, audience, caller, settings, claims, device, audit },
      cryptoKeyArtifacts(checked),
    );
  });
};
