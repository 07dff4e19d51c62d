import { lambda } from '../../shared/aws/lambda.ts';
import { completeRegistration, findRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import { registered } from './registered.ts';
import { registerExternalPasskey as operation } from './rows.ts';

/** Registers a passkey for a user whom the application knows by itself. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { tenant, application } = caller;
  const result = readRegistration(json.webauthn_encoded_result);
  const whose = { tenantId: tenant.tenantId, applicationId: application.applicationId };
  const open = await findRegistration(ports, whose, result.sessionId);
  audit({ userId: open.userId });
  const user = await requireLoginUser(ports, tenant.tenantId, open.userId);
  const relyingParty = relyingPartyOf(application, settings);
  const passkey = await completeRegistration(ports, { application, relyingParty }, open, result);
  return { json: registered(passkey, open, user) };
};

export const handler = lambda(operation, useCase);
