import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import {
  type LoginProgress,
  saveProgress,
  sealAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { connectIdentity, type UpstreamUser } from '../../shared/domain/social/upstream-identity.ts';
import { createPageTrust } from '../../shared/domain/trust/binding.ts';
import { currentGeneration, FIRST_GENERATION } from '../../shared/domain/trust/generations.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserResponse } from '../../shared/flows/browser/browser-response.ts';
import { canContinueAt } from '../../shared/flows/hosted-login/accepted-proofs.ts';
import { abortLogin, advance } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { type CurrentState, deriveCurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import { showCurrent } from '../../shared/flows/hosted-login/show-current.ts';
import { redirectToPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import {
  type AuthenticatedUser,
  authenticateAtProvider,
  type Callback,
  type CallbackPorts,
  createSocialProof,
  fetchIdentity,
  linkByMailbox,
} from './authenticate.ts';
import { isBusy, toOAuthError } from './redirect-error.ts';

/** Returns the error that the login page shows for a failure at the provider. */
function providerPageError(error: ServiceError): PageError {
  switch (error.key) {
    case 'provider_address_taken':
    case 'identifier_taken':
      return { key: 'account_exists' };
    case 'user_not_found':
    case 'public_signup_off':
      return { key: 'account_unknown' };
    default:
      return { key: 'provider_failed' };
  }
}

function findGeneration(found: UpstreamUser): number {
  if ('user' in found) return currentGeneration(found.user);
  return 'toLink' in found ? found.generation : FIRST_GENERATION;
}

const isSameAccount = (one: MethodUse, other: MethodUse): boolean =>
  one.method === other.method && one.credential === other.credential;

/**
 * Returns true if the identity provider account belongs to the user of the login or, during sign-up, is the account with which
 * the sign-up began. All factors of a login must belong to one user.
 */
function isSameUser({ application, login, now }: LoginContext, found: AuthenticatedUser): boolean {
  const { userId, sealedSignUp, proven } = login.progress;
  if ('user' in found) return found.userId === userId;
  const use = createSocialProof(found, application, now);
  return 'signUp' in found && sealedSignUp !== undefined && proven.some((other) => isSameAccount(other, use));
}

/**
 * Adds the identity provider account to the login as a factor. During sign-up, and until the account is linked, the identity is
 * encrypted with a key derived from the browser's cookie.
 */
function withIdentity(
  { application, browser, login, now }: LoginContext,
  found: AuthenticatedUser,
): LoginProgress {
  const { pending: _, ...before } = login.progress;
  const use = createSocialProof(found, application, now);
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...before.proven.filter((other) => !isSameAccount(other, use)), use],
    userId: before.userId ?? found.userId,
    generation: before.userId === undefined ? findGeneration(found) : before.generation,
    sealedLink: 'toLink' in found ? sealAddress(browser, JSON.stringify(found.toLink)) : undefined,
    sealedSignUp:
      'signUp' in found ? sealAddress(browser, JSON.stringify(found.signUp)) : before.sealedSignUp,
  });
}

/**
 * Reports a failure at the provider. If the user has seen no login page, the client gets the error. Otherwise the login page
 * shows the error, and the user can choose another method.
 */
async function failed(
  ports: CallbackPorts,
  context: LoginContext,
  error: unknown,
  { direct, audit }: Pick<Callback['input'], 'audit'> & { readonly direct: boolean },
): Promise<BrowserResponse> {
  if (!(error instanceof ServiceError) || isBusy(error)) throw error;
  audit({ ...error.detail.audit, result: error.key });
  if (direct) {
    const answer = await abortLogin(ports, context, toOAuthError(error), audit);
    audit({ result: error.key });
    return answer;
  }
  return showCurrent(ports, context, { error: providerPageError(error) });
}

/**
 * Links the identity provider account to the user who asked for this on the account page. The account does not count as a
 * factor of this login.
 */
async function connectAccount(
  ports: CallbackPorts,
  context: LoginContext,
  { binding, user }: CurrentState,
  callback: Callback,
): Promise<BrowserResponse> {
  const { login, tenant } = context;
  const { audit } = callback.input;
  if (!user || !binding) throw new Error('a login that connects an account must have a user');
  try {
    const proven = await fetchIdentity(ports, context, callback);
    const { generation } = login.progress;
    const { userId } = user;
    const asking = { userId, generation, at: nowSeconds() };
    await connectIdentity(ports, tenant, asking, { ...proven, trust: createPageTrust(binding) });
  } catch (error) {
    return failed(ports, context, error, { direct: false, audit });
  }
  audit({ userId: user.userId, events: ['identity.added'], provider: callback.provider });
  const next = await saveProgress(ports, context, { ...login.progress, connected: true });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
}

/** Continues a hosted login with the identity provider account, which is the first factor or an additional one. */
export async function finishHostedLogin(
  ports: CallbackPorts,
  context: LoginContext,
  callback: Callback,
  direct: boolean,
): Promise<BrowserResponse> {
  const { request, progress } = context.login;
  const { audit } = callback.input;
  const isFirst = progress.userId === undefined;
  if (!isFirst) {
    const current = await deriveCurrentState(ports, context);
    // An earlier request has stored the account as a factor and then failed, so that only the last step of the login remains.
    if (current.state.kind === 'done') return advance(ports, context, audit, current);
    if (!canContinueAt(current.state, callback.provider)) return redirectToPage(context);
    if (current.state.kind === 'connect') return connectAccount(ports, context, current, callback);
  }
  let found: AuthenticatedUser;
  try {
    found = await authenticateAtProvider(ports, context, callback, {
      createNewUser: (isFirst || progress.sealedSignUp !== undefined) && request.createNewUser,
      findLinking: async (user) => (isFirst ? linkByMailbox(ports, context, user) : undefined),
    });
    if (!isFirst && !isSameUser(context, found)) throw new ServiceError('provider_failed');
  } catch (error) {
    return failed(ports, context, error, { direct, audit });
  }
  // The provider may have taken seconds to respond, so the factor's time is read again.
  const answered = { ...context, now: nowSeconds() };
  const next = await saveProgress(ports, answered, withIdentity(answered, found));
  return next ? advance(ports, { ...answered, login: next }, audit) : redirectToPage(answered);
}
