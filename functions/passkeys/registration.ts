import { newId } from '../../shared/domain/basis/random.ts';
import { startEnrolment } from '../../shared/domain/hosted-login/enrolment.ts';
import { externalIdAt } from '../../shared/domain/identifiers/external-ids.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import {
  completeRegistration,
  findRegistration,
  startOpenRegistration,
  startRegistration,
  verifyNewPasskey,
} from '../../shared/domain/passkeys/passkey-registration.ts';
import { toRelyingParty } from '../../shared/domain/passkeys/relying-party.ts';
import { readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import { createApiTrust, createVouchedTrust } from '../../shared/domain/trust/binding.ts';
import { UNPROVEN_GENERATIONS } from '../../shared/domain/trust/generations.ts';
import {
  findExternalUser,
  type ReportedUser,
  readReportedUser,
  requireConsistentReport,
  requireExternalUser,
  storeWithNewUser,
} from '../../shared/domain/users/external-user.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import type { OperationPorts, OperationRequest, UseCase, UserCaller } from '../../shared/operation.ts';
import type { Application, ApplicationOfTenant } from '../../shared/ports/directory.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';
import type { WebauthnChallenge } from '../../shared/ports/signing.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { requireBindingUser } from '../../shared/tokens/binding-user.ts';
import { invalidToken, originRefused } from '../../shared/tokens/challenges.ts';
import { requireApplicationOfClient } from './place.ts';
import type * as rows from './rows.ts';

/**
 * Finds the tenant and the application of a user's token.
 * @throws `invalid_token` if either no longer exists
 */
async function findTokenApplication(
  ports: PortsWith<'tenants' | 'applications'>,
  caller: UserCaller,
): Promise<ApplicationOfTenant> {
  const [tenant, application] = await Promise.all([
    ports.tenants.find(caller.tenantId),
    ports.applications.find(caller.applicationId),
  ]);
  if (!tenant || !application || application.tenantId !== tenant.tenantId) throw invalidToken('revoked');
  return { tenant, application };
}

/** Converts a new passkey to the response of the registration operations. */
function registered(
  { credentialId }: Passkey,
  { userName }: WebauthnChallenge,
  user: User,
  application: Application,
) {
  return {
    credential_id: credentialId,
    user_id: user.userId,
    user_identifier: userName ?? user.userId,
    external_user_id: externalIdAt(user, application),
  };
}

type Input = OperationRequest<typeof rows.startPasskeyRegistration>;
type WithCaller = Input & { readonly caller: NonNullable<Input['caller']> };

/** Returns the user who gets the passkey: the user of the token or, for a client's token, the user whom the client names. */
async function userToRegister(
  { json, caller, request, settings }: WithCaller,
  ports: OperationPorts<typeof rows.startPasskeyRegistration>,
): Promise<User> {
  if (caller.kind === 'user') {
    const { user } = await requireBindingUser(ports, caller, settings, request.now);
    if (json.user_id !== undefined && json.user_id !== user.userId) throw new ServiceError('user_not_found');
    return user;
  }
  if (json.user_id === undefined) throw invalidInput('user_id: is required');
  return requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
}

/**
 * Starts a registration on a page of the application, which sends no access token. Returns options for a user who is not known
 * yet.
 * @throws `invalid_token` without a client or on a page of another origin; `system_invalid_input`
 */
async function startOnPage(
  { json, request, settings, audit, allowOrigins }: Input,
  ports: OperationPorts<typeof rows.startPasskeyRegistration>,
) {
  const { client_id: clientId, username: userName, display_name: displayName } = json;
  if (clientId === undefined) throw invalidToken('missing');
  const { tenant, application } = await requireApplicationOfClient(ports, clientId);
  audit({ clientId, applicationId: application.applicationId, tenantId: tenant.tenantId });
  const relyingParty = toRelyingParty(application, settings);
  const { origin = '' } = request.headers;
  if (!relyingParty.origins.includes(origin)) throw originRefused(origin);
  allowOrigins(relyingParty.origins);
  if (userName === undefined) throw invalidInput('username: is required');
  const shown = { userName, displayName };
  return startOpenRegistration(ports, { tenant, application, relyingParty, now: request.now }, shown);
}

/** Starts the registration of a passkey: returns options for the authenticator, with a challenge that can be used once. */
export const startPasskeyRegistration: UseCase<typeof rows.startPasskeyRegistration> = async (
  input,
  ports,
) => {
  const { json, caller, request, settings, audit, allowOrigins } = input;
  if (!caller) return { json: await startOnPage(input, ports) };
  const { tenant, application } = caller.kind === 'user' ? await findTokenApplication(ports, caller) : caller;
  const relyingParty = toRelyingParty(application, settings);
  allowOrigins(relyingParty.origins);
  const user = await userToRegister({ ...input, caller }, ports);
  audit({ userId: user.userId });
  const registering = { tenant, application, relyingParty, now: request.now };
  return { json: await startRegistration(ports, registering, user, json) };
};

/** Registers a passkey for the user of the access token. */
export const registerPasskey: UseCase<typeof rows.registerPasskey> = async (
  { json, caller, request, settings, audit, allowOrigins },
  ports,
) => {
  const { application } = await findTokenApplication(ports, caller);
  const relyingParty = toRelyingParty(application, settings);
  allowOrigins(relyingParty.origins);
  const result = readRegistration(json.webauthn_encoded_result);
  const { user, login } = await requireBindingUser(ports, caller, settings, request.now);
  audit({ userId: user.userId });
  const challenge = await findRegistration(ports, caller, result.sessionId, request.now);
  const open = { challenge, userId: user.userId, trust: createApiTrust(login) };
  const registering = { application, relyingParty, now: request.now };
  const passkey = await completeRegistration(ports, registering, open, result);
  return { json: registered(passkey, challenge, user, application) };
};

/**
 * Returns the user whom the client named when it started the registration.
 * @throws `login_user_gone`, `user_not_active`, and the errors of `requireConsistentReport`
 */
async function namedUser(
  ports: PortsWith<'identifiers' | 'users.find'>,
  place: ApplicationOfTenant,
  userId: string,
  said: ReportedUser,
): Promise<User> {
  const user = await requireLoginUser(ports, place.tenant.tenantId, userId);
  await requireConsistentReport(ports, place, user, said);
  return user;
}

/**
 * Registers a passkey for a user that the application has authenticated itself. If the registration started without a user, the
 * external ID identifies the user; an unknown user is created if the application allows public sign-up.
 */
export const registerExternalPasskey: UseCase<typeof rows.registerExternalPasskey> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { tenant, application } = caller;
  const { now } = request;
  const result = readRegistration(json.webauthn_encoded_result);
  const said = readReportedUser(json);
  const owner = { tenantId: tenant.tenantId, applicationId: application.applicationId };
  const challenge = await findRegistration(ports, owner, result.sessionId, now);
  const { userId } = challenge;
  if (userId !== undefined) audit({ userId });
  const wanted = userId === undefined ? requireExternalUser(said) : undefined;
  const known = wanted
    ? await findExternalUser(ports, caller, wanted)
    : await namedUser(ports, caller, userId ?? '', said);
  const registering = { application, relyingParty: toRelyingParty(application, settings), now };
  if (known) {
    audit({ userId: known.userId });
    const open = { challenge, userId: known.userId, trust: createVouchedTrust(known, application, now) };
    const passkey = await completeRegistration(ports, registering, open, result);
    return { json: { ...registered(passkey, challenge, known, application), is_user_created: false } };
  }
  if (!wanted || !application.publicSignup) throw new ServiceError('user_not_found');
  const trust = createVouchedTrust({ generations: UNPROVEN_GENERATIONS }, application, now);
  const open = { challenge, userId: newId(), trust };
  const passkey = await verifyNewPasskey(ports, registering, open, result);
  const { user, isCreated } = await storeWithNewUser(
    ports,
    { tenant, application },
    { passkey, wanted },
    now,
  );
  audit({ userId: user.userId, ...(isCreated ? { events: ['user.created'] } : {}) });
  return { json: { ...registered(passkey, challenge, user, application), is_user_created: isCreated } };
};

/** Issues the token with which a client's user opens the hosted page for registering a passkey. */
export const hintPasskeyRegistration: UseCase<typeof rows.hintPasskeyRegistration> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { token, userId } = await startEnrolment(ports, { ...caller, now: request.now }, json, settings);
  audit({ userId });
  return { json: { register_webauthn_cred_token: token } };
};
