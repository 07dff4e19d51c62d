import { lambda } from '../../shared/aws/lambda.ts';
import { completeRegistration, findRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { placeOf } from './place.ts';
import { registered } from './registered.ts';
import { registerPasskey as operation } from './rows.ts';

/** Registers a passkey for the user of the access token. */
export const useCase: UseCase<typeof operation> = async (
  { json, caller, settings, audit, allowOrigins },
  ports,
) => {
  const { application } = await placeOf(ports, caller);
  const relyingParty = relyingPartyOf(application, settings);
  allowOrigins(relyingParty.origins);
  const result = readRegistration(json.webauthn_encoded_result);
  const user = await requireOwnUser(ports, caller, settings);
  audit({ userId: user.userId });
  const open = await findRegistration(ports, caller, result.sessionId);
  const passkey = await completeRegistration(ports, { application, relyingParty }, open, result);
  return { json: registered(passkey, open, user) };
};

export const handler = lambda(operation, useCase);
