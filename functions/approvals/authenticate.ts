import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import {
  checkApproval,
  consumeApproval,
  cryptoKeyArtifacts,
  findApproval,
} from '../../shared/domain/signed-approval.ts';
import { together } from '../../shared/domain/together.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { answerLogin, requirePerson } from '../../shared/tokens/backend-login.ts';
import { authenticateApproval as operation } from '../rows/approvals.ts';

/** Validates what a device key signed and returns user tokens, with what proves the approval to anybody. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const claims = readClaimsRequest(json.claims);
  const device = readDevice(json);
  audit(device);
  const audience = await resolveAudience(ports, caller, json.resource, settings);

  const approval = await findApproval(ports, caller, json.approval_id);
  const { userId } = approval;
  audit({ userId });
  const [checked, person] = await together(
    // First, so that nobody learns anything of a user without a signature.
    checkApproval(ports, approval, { keyId: json.key_id, signature: json.signature }),
    requirePerson(ports, caller, userId, json),
  );
  const proof = await consumeApproval(ports, checked);
  return answerLogin(
    ports,
    { ...person, proof, audience, caller, settings, claims, device, audit },
    cryptoKeyArtifacts(checked),
  );
};

export const handler = lambda(operation, useCase);
