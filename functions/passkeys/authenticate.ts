import { resolveAudience } from '../../shared/domain/audience.ts';
import { readClaimsRequest } from '../../shared/domain/claims-request.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { passkeyArtifacts } from '../../shared/domain/passkey-artifacts.ts';
import {
  checkPasskey,
  consumePasskey,
  findPresentedPasskey,
  requireNamedUser,
} from '../../shared/domain/passkey-login.ts';
import { relyingPartyOf } from '../../shared/domain/relying-party.ts';
import { together } from '../../shared/domain/together.ts';
import { readAuthentication } from '../../shared/domain/webauthn-result.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { answerLogin, requirePerson } from '../../shared/tokens/backend-login.ts';
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
