import { lambda } from '../../shared/aws/lambda.ts';
import { together } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import {
  checkApproval,
  consumeApproval,
  cryptoKeyArtifacts,
  findApproval,
} from '../../shared/domain/credentials/signed-approval.ts';
import { readClaimsRequest } from '../../shared/domain/oauth/claims-request.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { answerLogin, requirePerson } from '../../shared/flows/login/backend-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import { authenticateApproval as operation } from './rows.ts';

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
