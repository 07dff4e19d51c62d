import { lambda } from '../../shared/aws/lambda.ts';
import { together } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readClaimsRequest } from '../../shared/domain/oauth/claims-request.ts';
import { passkeyArtifacts } from '../../shared/domain/passkeys/passkey-artifacts.ts';
import {
  checkPasskey,
  consumePasskey,
  findPresentedPasskey,
  requireNamedUser,
} from '../../shared/domain/passkeys/passkey-login.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { readAuthentication } from '../../shared/domain/passkeys/webauthn-result.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { answerLogin, requirePerson } from '../../shared/flows/login/backend-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import { authenticatePasskey as operation } from './rows.ts';

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
  const relyingParty = relyingPartyOf(application, settings);
  const [checked, person] = await together(
    // First, so that nobody learns anything of a user without a signature.
    checkPasskey(ports, { tenant, relyingParty }, presented),
    requirePerson(ports, caller, userId, json),
  );
  audit({ userId });
  requireNamedUser(tenant, presented, person.user);
  const proof = await consumePasskey(ports, checked);
  return answerLogin(
    ports,
    { ...person, proof, audience, caller, settings, claims, device, audit },
    passkeyArtifacts(checked),
  );
};

export const handler = lambda(operation, useCase);
