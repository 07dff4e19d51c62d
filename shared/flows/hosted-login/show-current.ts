import { computeCsrfToken } from '../../domain/basis/browser.ts';
import { unsealAddress } from '../../domain/hosted-login/login-transaction.ts';
import { findSuitableApplication } from '../../domain/hosted-login/suitable-application.ts';
import { leadsToDevice } from '../../domain/oauth/client-document.ts';
import type { PendingIdentity } from '../../domain/users/sign-up.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { maskEmail, maskPhoneNumber } from '../../templates/mask.ts';
import { connectPage } from '../../templates/pages/connect-page.ts';
import { commandLinePage, consentPage } from '../../templates/pages/consent-page.ts';
import { continueFormPage } from '../../templates/pages/continue-form-page.ts';
import { pendingRecoveryPage } from '../../templates/pages/pending-recovery-page.ts';
import { recoveryElsewherePage } from '../../templates/pages/recovery-page.ts';
import type { BrowserResponse } from '../browser/browser-response.ts';
import type { LoginContext } from './login-context.ts';
import { deriveCurrentState, type StatePorts } from './login-state.ts';
import { findNewSession } from './new-session.ts';
import { buildPageNotice, type Feedback, formResponse, loginPath, showState } from './show-page.ts';

const displayHost = (address: string) => new URL(address).host;

/**
 * Returns the user's address, masked because other people may use this browser. During sign-up, it is the address that the user
 * typed or the provider reported.
 */
function findMaskedAddress({ browser, login }: LoginContext, user: User | undefined): string | undefined {
  const { sealedSignUp, proven } = login.progress;
  const mask = (address: string) => (address.includes('@') ? maskEmail(address) : maskPhoneNumber(address));
  if (user) {
    const address = user.email ?? user.phoneNumber;
    return address ? mask(address.value) : user.username;
  }
  if (sealedSignUp === undefined) return undefined;
  const opened = unsealAddress(browser, sealedSignUp);
  if (proven[0]?.method !== 'social') return mask(opened);
  const { email } = JSON.parse(opened) as PendingIdentity;
  return email === undefined ? undefined : mask(email);
}

/** Returns the page of a login's current state. Unlike `showState`, this function can render every state. */
export async function showCurrent(
  ports: StatePorts & PortsWith<'applications'>,
  context: LoginContext,
  feedback: Feedback,
): Promise<BrowserResponse> {
  const { state, binding, user } = await deriveCurrentState(ports, context);
  const { language, brand, browser, login } = context;
  const { loginId } = login;
  const csrf = computeCsrfToken(browser, loginId);
  const common = {
    language,
    brand,
    csrf,
    notice: buildPageNotice(context),
    cancelAction: loginPath(loginId, 'cancel'),
  };
  if (state.kind === 'identify' && (await findNewSession(ports, context)))
    return formResponse(
      context,
      continueFormPage({ ...common, resumes: true, action: loginPath(loginId, 'continue') }),
    );
  if (state.kind === 'connect') {
    const target = { ...feedback, action: loginPath(loginId, 'second') };
    return formResponse(context, connectPage({ ...common, ...target, provider: state.provider }));
  }
  if (state.kind === 'consent') {
    const { request } = login;
    const target = { action: loginPath(loginId, 'allow'), denyAction: loginPath(loginId, 'deny') };
    const page = consentPage({
      ...common,
      ...feedback,
      ...target,
      host: displayHost(context.client.clientId),
      leadsTo: leadsToDevice(request.redirectUri) ? undefined : displayHost(request.redirectUri),
      person: findMaskedAddress(context, user),
      scopes: state.scopes,
      asksOfflineAccess: request.consent?.offline === true,
    });
    return formResponse(context, page);
  }
  if (state.kind === 'command-line')
    return formResponse(context, commandLinePage({ ...common, action: loginPath(loginId, 'confirm') }));
  if (state.kind === 'loss') {
    const { kinds, since, effectiveAt } = state.recovery;
    const ways = { action: loginPath(loginId, 'heard'), cancelRecoveryAction: loginPath(loginId, 'stop') };
    return formResponse(
      context,
      pendingRecoveryPage({ ...common, ...ways, factorTypes: kinds, since, effectiveAt }),
    );
  }
  if (state.kind !== 'denied' || !state.isTooFew || !binding) return showState(context, state, feedback);
  const place = (await findSuitableApplication(ports, binding))?.name;
  const action = loginPath(loginId, 'continue');
  return formResponse(context, recoveryElsewherePage({ language, brand, csrf, action, place }));
}
