import { isOwnForm } from '../../shared/domain/basis/browser.ts';
import { openAddress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { startPasskeyLogin } from '../../shared/domain/passkeys/passkey-login.ts';
import { startRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type LoginContext, loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { ceremonyOf, standingOf } from '../../shared/flows/hosted-login/login-state.ts';
import type { PortsOf, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Somebody new is shown in the authenticator by the address that they have proven. */
async function creation(
  ports: PortsOf<typeof rows.loginPasskeyOptions>,
  context: LoginContext,
  user: User | undefined,
) {
  const { tenant, application, settings, browser, login } = context;
  const { progress, request, transaction } = login;
  const { userId, sealedSignUp } = progress;
  if (userId === undefined) throw new ServiceError('login_not_found');
  const typed = sealedSignUp === undefined ? undefined : openAddress(browser, sealedSignUp);
  const place = { tenant, application, relyingParty: relyingPartyOf(application, settings) };
  const username = request.enrolment?.userName ?? typed;
  return startRegistration(ports, place, user ?? { userId }, { username }, transaction.hash);
}

/** What the script of a login page asks the authenticator for, with a challenge that counts once and in this login alone. */
export const loginPasskeyOptions: UseCase<typeof rows.loginPasskeyOptions> = async (input, ports) => {
  const { path, form, request, settings, audit } = input;
  const context = await loginContext(ports, path.loginId, request, settings);
  const { tenant, application, login, browser } = context;
  const { tenantId, applicationId, clientId, hash } = login.transaction;
  audit({ tenantId, applicationId, clientId });
  if (!isOwnForm(browser, path.loginId, form.csrf)) throw new ServiceError('login_elsewhere');
  const { step, user } = await standingOf(ports, context);
  const ceremony = ceremonyOf(context, step);
  if (ceremony === 'registration') return { json: await creation(ports, context, user) };
  if (ceremony !== 'login') throw new ServiceError('login_not_found');
  const place = { tenant, application, relyingParty: relyingPartyOf(application, settings) };
  const { approvalData } = login.request;
  const asked = { username: form.identifier || undefined, approvalData, loginHash: hash };
  return { json: await startPasskeyLogin(ports, place, asked) };
};
