import { hasValidCsrfToken } from '../../shared/domain/basis/browser.ts';
import { unsealAddress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { beginPasskeyLogin } from '../../shared/domain/passkeys/passkey-login.ts';
import { startRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import { toRelyingParty } from '../../shared/domain/passkeys/relying-party.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { acceptedCeremony } from '../../shared/flows/hosted-login/accepted-proofs.ts';
import { type LoginContext, loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import type { OperationPorts, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Creates the options for registering a passkey. During sign-up the authenticator shows the address that was verified. */
async function registrationOptions(
  ports: OperationPorts<typeof rows.loginPasskeyOptions>,
  context: LoginContext,
  user: User | undefined,
  isSilent: boolean,
) {
  const { tenant, application, settings, browser, login } = context;
  const { progress, request, transaction } = login;
  const { userId, sealedSignUp } = progress;
  if (userId === undefined) throw new ServiceError('login_not_found');
  const typed = sealedSignUp === undefined ? undefined : unsealAddress(browser, sealedSignUp);
  const relyingParty = toRelyingParty(application, settings);
  const ofLogin = { loginHash: transaction.hash, ...(isSilent && { isSilent }) };
  const registering = { tenant, application, relyingParty, now: context.now, ofLogin };
  const username = request.enrolment?.userName ?? typed;
  const shown = { username, display_name: request.enrolment?.displayName };
  return startRegistration(ports, registering, user ?? { userId }, shown);
}

/** Returns the WebAuthn options for the script of a login page. The challenge is single-use and valid only in this login. */
export const loginPasskeyOptions: UseCase<typeof rows.loginPasskeyOptions> = async (input, ports) => {
  const { path, form, settings } = input;
  const context = await loginContext(ports, path.loginId, input);
  const { tenant, application, login, browser } = context;
  if (!hasValidCsrfToken(browser, path.loginId, form.csrf)) throw new ServiceError('login_elsewhere');
  const { state, user } = await deriveCurrentState(ports, context);
  const ceremony = acceptedCeremony(context, state);
  const isSilent = form.mediation !== undefined && state.kind === 'passkey' && state.isOffer;
  if (ceremony === 'registration') return { json: await registrationOptions(ports, context, user, isSilent) };
  if (ceremony !== 'login') throw new ServiceError('login_not_found');
  const place = { tenant, application, relyingParty: toRelyingParty(application, settings) };
  const { approvalData } = login.request;
  const asked = { username: form.identifier || undefined, approvalData, loginHash: login.transaction.hash };
  return { json: await beginPasskeyLogin(ports, place, asked, context.now) };
};
