import { marksOfClient } from '../../shared/domain/credentials/good-at.ts';
import { startEnrolment } from '../../shared/domain/hosted-login/enrolment.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import {
  completeRegistration,
  findRegistration,
  type OpenRegistration,
  startRegistration,
} from '../../shared/domain/passkeys/passkey-registration.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import type { InputOf, PortsOf, UseCase, UserCaller } from '../../shared/operation.ts';
import type { Application, Tenant } from '../../shared/ports/directory.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { requireBindingUser } from '../../shared/tokens/binding-user.ts';
import { invalidToken } from '../../shared/tokens/challenges.ts';
import type * as rows from './rows.ts';

/** The tenant and the application of a user's token. Errors: `invalid_token` when either is gone. */
async function placeOf(
  ports: Using<'tenants' | 'applications'>,
  caller: UserCaller,
): Promise<{ readonly tenant: Tenant; readonly application: Application }> {
  const [tenant, application] = await Promise.all([
    ports.tenants.find(caller.tenantId),
    ports.applications.find(caller.applicationId),
  ]);
  if (!tenant || !application || application.tenantId !== tenant.tenantId) throw invalidToken();
  return { tenant, application };
}

/** A new passkey on the wire. */
function registered({ credentialId }: Passkey, { challenge }: OpenRegistration, user: User) {
  return {
    credential_id: credentialId,
    user_id: user.userId,
    user_identifier: challenge.userName ?? user.userId,
    external_user_id: user.externalUserId,
  };
}

type Input = InputOf<typeof rows.startPasskeyRegistration>;

/** The token's user; a client names a user of its tenant. */
async function userToRegister(
  { json, caller, request, settings }: Input,
  ports: PortsOf<typeof rows.startPasskeyRegistration>,
): Promise<User> {
  if (caller.kind === 'user') {
    const { user } = await requireBindingUser(ports, caller, settings, request.now);
    if (json.user_id !== undefined && json.user_id !== user.userId) throw new ServiceError('user_not_found');
    return user;
  }
  if (json.user_id === undefined) throw invalidInput('user_id: is required');
  return requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
}

/** Starts the registration of a passkey: options for the authenticator, with a challenge that works once. */
export const startPasskeyRegistration: UseCase<typeof rows.startPasskeyRegistration> = async (
  input,
  ports,
) => {
  const { json, caller, request, settings, audit, allowOrigins } = input;
  const { tenant, application } = caller.kind === 'user' ? await placeOf(ports, caller) : caller;
  const relyingParty = relyingPartyOf(application, settings);
  allowOrigins(relyingParty.origins);
  const user = await userToRegister(input, ports);
  audit({ userId: user.userId });
  return {
    json: await startRegistration(ports, { tenant, application, relyingParty }, user, json, request.now),
  };
};

/** Registers a passkey for the user of the access token. */
export const registerPasskey: UseCase<typeof rows.registerPasskey> = async (
  { json, caller, request, settings, audit, allowOrigins },
  ports,
) => {
  const { application } = await placeOf(ports, caller);
  const relyingParty = relyingPartyOf(application, settings);
  allowOrigins(relyingParty.origins);
  const result = readRegistration(json.webauthn_encoded_result);
  const { user, marks } = await requireBindingUser(ports, caller, settings, request.now);
  audit({ userId: user.userId });
  const open = await findRegistration(ports, caller, result.sessionId, request.now);
  const place = { application, relyingParty };
  const passkey = await completeRegistration(ports, place, open, result, marks, request.now);
  return { json: registered(passkey, open, user) };
};

/** Registers a passkey for a user that the application authenticates itself. */
export const registerExternalPasskey: UseCase<typeof rows.registerExternalPasskey> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { tenant, application } = caller;
  const result = readRegistration(json.webauthn_encoded_result);
  const { applicationId } = application;
  const owner = { tenantId: tenant.tenantId, applicationId };
  const open = await findRegistration(ports, owner, result.sessionId, request.now);
  audit({ userId: open.userId });
  const user = await requireLoginUser(ports, tenant.tenantId, open.userId);
  const place = { application, relyingParty: relyingPartyOf(application, settings) };
  const marks = marksOfClient(user, application);
  const passkey = await completeRegistration(ports, place, open, result, marks, request.now);
  return { json: registered(passkey, open, user) };
};

/** Makes the token that takes a client's user to the hosted page for registering a passkey. */
export const hintPasskeyRegistration: UseCase<typeof rows.hintPasskeyRegistration> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { token, userId } = await startEnrolment(ports, caller, json, settings, request.now);
  audit({ userId });
  return { json: { register_webauthn_cred_token: token } };
};
