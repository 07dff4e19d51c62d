import { computeCsrfToken } from '../../domain/basis/browser.ts';
import {
  MINUTE_SECONDS,
  PASSCODE_LOCK_MINUTES,
  SECONDS_PER_MINUTE,
  SENDS_PER_MINUTE,
} from '../../domain/basis/limits.ts';
import { splitApprovalData } from '../../domain/credentials/approval-data.ts';
import { configuredChannels, configuredProviders } from '../../domain/credentials/login-preferences.ts';
import { passcodeSettings } from '../../domain/credentials/passcode-settings.ts';
import {
  type LoginProgress,
  type PendingCredential,
  unsealAddress,
} from '../../domain/hosted-login/login-transaction.ts';
import { hasUsedPasskey, passkeyCookieName } from '../../domain/hosted-login/passkey-offer.ts';
import { phoneCountries } from '../../domain/identifiers/phone-number.ts';
import { needsAnotherFactor } from '../../domain/trust/factor-types.ts';
import type { Address } from '../../ports/people.ts';
import { type AddressType, canContainLink, channels, isChannel, sendsCode } from '../../records/channels.ts';
import type { REFUSALS } from '../../schemas/pages/login.ts';
import { masks } from '../../templates/mask.ts';
import { closedCodePage } from '../../templates/pages/closed-code-page.ts';
import { codePage } from '../../templates/pages/code-page.ts';
import { continueFormPage } from '../../templates/pages/continue-form-page.ts';
import { identifyPage } from '../../templates/pages/identify-page.ts';
import { linkSentPage } from '../../templates/pages/link-sent-page.ts';
import { newEmailPage } from '../../templates/pages/new-email-page.ts';
import { phonePage } from '../../templates/pages/phone-page.ts';
import { registerPasskeyPage } from '../../templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../templates/pages/second-factor-page.ts';
import type { PageError } from '../../templates/parts/form.ts';
import { formPageHeaders } from '../../templates/parts/frame.ts';
import { type LoginMethod, shownMethods } from '../../templates/parts/methods.ts';
import type { PageNotice } from '../../templates/parts/notice.ts';
import type { PasskeyTarget } from '../../templates/parts/passkey-form.ts';
import type { PhoneCountries } from '../../templates/parts/phone-field.ts';
import { type BrowserResponse, browserCookies } from '../browser/browser-response.ts';
import { acceptedCeremony } from './accepted-proofs.ts';
import { allowsSignUp, type LoginContext } from './login-context.ts';
import { deriveCurrentState, type LoginState, type StatePorts } from './login-state.ts';
import type { MessageFactor } from './message-factors.ts';

/**
 * Returns the number of seconds until the page offers to send another message: twice the average interval that the
 * application's rate limit allows, but at most a minute. Sending enforces the rate limit itself.
 */
function resendAfterSeconds({ rateLimits }: LoginContext['application']): number {
  const { sendsPerMinute = SENDS_PER_MINUTE } = rateLimits ?? {};
  return Math.min(MINUTE_SECONDS, Math.ceil(MINUTE_SECONDS / sendsPerMinute) * 2);
}

export function loginPath(loginId: string, act?: string): string {
  return act === undefined ? `/login/${loginId}` : `/login/${loginId}/${act}`;
}

function passkeyPath(loginId: string, act?: 'options'): string {
  return act === undefined ? `/passkey/${loginId}` : `/passkey/${loginId}/${act}`;
}

function passkeyTarget({ browser, login: { loginId } }: LoginContext): PasskeyTarget {
  return {
    action: passkeyPath(loginId),
    optionsAction: passkeyPath(loginId, 'options'),
    csrf: computeCsrfToken(browser, loginId),
  };
}

/** Returns the notice above the forms of a login: the client's message, and the data that the user approves with the login. */
export function buildPageNotice({ login: { request } }: LoginContext): PageNotice {
  const { type, texts } = splitApprovalData(request.approvalData);
  return { customMessage: request.customMessage, approvalType: type, approvalData: texts };
}

/** Feedback on a submitted form. */
export interface Feedback {
  readonly error?: PageError | undefined;
  /** Text that the user typed, to fill the field again. */
  readonly typed?: string | undefined;
  /** Passkey that the user tried, but that this environment does not know. The page asks the browser to remove the passkey. */
  readonly unknown?: { readonly rpId: string; readonly credentialId: string } | undefined;
  /** Country chosen for a phone number (ISO 3166-1); empty if none was chosen. */
  readonly country?: string | undefined;
}

const configured = ({ application }: LoginContext): readonly LoginMethod[] => [
  ...shownMethods(configuredChannels(application)),
  ...configuredProviders(application),
];

function shownFactors(open: readonly MessageFactor[]): readonly MessageFactor[] {
  const shown = shownMethods(open.map(({ method }) => method));
  return open.filter(({ method }) => shown.includes(method));
}

/** Returns the number of seconds for which a code is locked after too many wrong attempts. */
export function readLockSeconds({ application }: LoginContext, { channel }: PendingCredential): number {
  const { lockMinutes = PASSCODE_LOCK_MINUTES } =
    (sendsCode(channel) && application.loginPreferences?.[channel]) || {};
  return lockMinutes * SECONDS_PER_MINUTE;
}

/** Returns the lock on this address's code after too many wrong attempts. Undefined if there is none or it has ended. */
export function findLockedCode({ login, now }: LoginContext, codeKey: string): LoginProgress['closed'] {
  const { closed } = login.progress;
  return closed?.codeKey === codeKey && (closed.isFinal || closed.until > now) ? closed : undefined;
}

/** Returns the target of a form that sends a link instead of the locked code. Undefined if links are not available. */
function linkInstead(context: LoginContext, pending: PendingCredential, address: string) {
  const { loginId, progress } = context.login;
  const { application } = context;
  if (!application.loginPreferences?.link || !canContainLink(pending.channel)) return undefined;
  return progress.userId === undefined
    ? { action: loginPath(loginId), identifier: address }
    : { action: loginPath(loginId, 'second') };
}

function pendingPage(context: LoginContext, pending: PendingCredential, { error }: Feedback): string {
  const { application, language, brand, browser, login, now } = context;
  const { loginId, progress } = login;
  const address = unsealAddress(browser, pending.sealedAddress);
  const isTyped = progress.userId === undefined || pending.adds === true;
  const masked = masks[channels[pending.channel].address](address);
  const common = {
    language,
    brand,
    csrf: computeCsrfToken(browser, loginId),
    // An address from the user's record is masked, because others may use this browser.
    shownTo: isTyped ? address : masked,
    resendAction: loginPath(loginId, 'resend'),
    resendAfterSeconds: Math.max(
      pending.sentAt + resendAfterSeconds(application) - now,
      error?.key === 'rate_limited' ? error.retryAfterSeconds : 0,
    ),
    changeAction: loginPath(loginId, 'change'),
    cancelAction: loginPath(loginId, 'cancel'),
    secondFactor: progress.userId !== undefined,
    allowsSignUp: allowsSignUp(context),
    sentAgainAt: pending.isResent && pending.sentAt,
    sender: pending.sender,
    notice: buildPageNotice(context),
    error,
  };
  const { channel } = pending;
  if (!sendsCode(channel)) return linkSentPage(common);
  const closed = findLockedCode(context, pending.codeKey);
  if (closed)
    return closedCodePage({
      ...common,
      retryAfterSeconds: closed.isFinal ? undefined : closed.until - now,
      link: linkInstead(context, pending, address),
    });
  return codePage({
    ...common,
    channel,
    digits: passcodeSettings(context.application.loginPreferences?.[channel] ?? {}, undefined).digits,
    action: loginPath(loginId, 'passcode'),
  });
}

function readCountries({ settings, ...context }: LoginContext, country: string | undefined): PhoneCountries {
  return { all: phoneCountries(settings), chosen: country ?? context.country };
}

/**
 * Returns the page that asks for the country of a phone number that was typed without a country code. The page leads back to
 * the first page.
 */
export function showNumberPage(context: LoginContext, { error, typed, country }: Feedback): BrowserResponse {
  const { language, brand, browser, login } = context;
  const { loginId } = login;
  const page = phonePage({
    language,
    brand,
    error,
    identifies: true,
    phoneNumber: typed,
    countries: readCountries(context, country),
    action: loginPath(loginId),
    csrf: computeCsrfToken(browser, loginId),
    notice: buildPageNotice(context),
    backHref: loginPath(loginId),
    cancelAction: loginPath(loginId, 'cancel'),
  });
  return formResponse(context, page);
}

/**
 * Returns true if the first page begins with passkeys: the request asks for passkeys, no other method is configured, an
 * approval must be signed, or a passkey was used in this browser.
 */
function beginsWithPasskeys(context: LoginContext): boolean {
  const { passkeyFirst, approvalData } = context.login.request;
  const isWanted = passkeyFirst === true || approvalData !== undefined || configured(context).length === 0;
  return isWanted || hasUsedPasskey(context.passkeyAnswers, context.now);
}

/** Returns the address that a new address replaces, masked. Only the replacement of a verified email address can be undone. */
const describeReplaced = (address: Address | undefined, type: AddressType) =>
  address && {
    shown: masks[type](address.value),
    canUndo: type === 'email' && address.standing !== 'claimed',
  };

function statePage(context: LoginContext, state: LoginState, feedback: Feedback): string {
  const { error, typed, country, unknown } = feedback;
  const { language, brand, browser, login } = context;
  const { request, loginId } = login;
  const notice = buildPageNotice(context);
  const cancelAction = loginPath(loginId, 'cancel');
  const signals = unknown && ([['signalUnknownCredential', unknown]] as const);
  const common = {
    language,
    brand,
    csrf: computeCsrfToken(browser, loginId),
    error,
    notice,
    cancelAction,
    signals,
  };
  switch (state.kind) {
    case 'identify': {
      const { sealedTyped } = login.progress;
      const before = sealedTyped === undefined ? request.loginHint : unsealAddress(browser, sealedTyped);
      const identifier = typed ?? before;
      const methods = configured(context);
      const isFirst = beginsWithPasskeys(context);
      const { application, tenant } = context;
      const offers = application.offerPasskeys ? passkeyCookieName(tenant.tenantId) : undefined;
      const passkey = acceptedCeremony(context, state) && { ...passkeyTarget(context), isFirst, offers };
      const signsUp = request.prompts.includes('create') && allowsSignUp(context);
      // Email and links come before SMS, so the country is only needed if SMS is the first message method.
      const main = methods.find(isChannel);
      const takesNumber = main !== undefined && channels[main].address === 'phone_number';
      const countries = takesNumber ? readCountries(context, country) : undefined;
      const action = loginPath(loginId);
      return identifyPage({ ...common, action, methods, identifier, countries, passkey, signsUp });
    }
    case 'second-factor': {
      const methods = [
        ...shownFactors(state.open).map(({ method, maskedTo }) => ({ method, maskedTo })),
        ...state.providers.map((method) => ({ method })),
      ];
      const passkey = state.passkey ? passkeyTarget(context) : undefined;
      const isAlone = needsAnotherFactor(login.progress.proven);
      const target = {
        action: loginPath(loginId, 'second'),
        lostAction: isAlone || state.stale ? undefined : loginPath(loginId, 'lost'),
        laterAction: state.isOptional ? loginPath(loginId, 'later') : undefined,
      };
      return secondFactorPage({
        ...common,
        ...target,
        methods,
        passkey,
        isFirstFactorInsufficient: isAlone,
        staleProvider: state.stale,
      });
    }
    case 'passkey': {
      const { isOffer, isFactor } = state;
      const isAll = request.enrolment !== undefined || isFactor === 'last';
      const laterAction = loginPath(loginId, 'later');
      // Skipping a required passkey cancels the login, so a separate cancel button is not needed. After an offer, the login
      // continues in any case.
      const exits = isAll || isOffer ? { cancelAction: undefined } : {};
      const target = { ...passkeyTarget(context), laterAction };
      return registerPasskeyPage({
        ...common,
        ...exits,
        ...target,
        isOnly: isAll,
        isFactor,
        isSilentFirst: isOffer,
      });
    }
    case 'email': {
      const methods = shownFactors(state.open);
      return secondFactorPage({
        ...common,
        action: loginPath(loginId, 'second'),
        methods,
        isEmailVerification: true,
      });
    }
    case 'number':
      return phonePage({
        ...common,
        action: loginPath(loginId, 'phone'),
        phoneNumber: typed,
        countries: readCountries(context, country),
        change:
          'replaces' in state ? { replaces: describeReplaced(state.replaces, 'phone_number') } : undefined,
      });
    case 'new-email': {
      const byLink = context.application.loginPreferences?.email === undefined;
      const replaces = describeReplaced(state.replaces, 'email');
      return newEmailPage({ ...common, action: loginPath(loginId, 'email'), typed, byLink, replaces });
    }
    default:
      // The login has ended, but its response was lost. A click requests the response again.
      return continueFormPage({ ...common, resumes: true, action: loginPath(loginId, 'continue') });
  }
}

/** Returns a response with a page of forms, its security headers and the browser's cookie. */
export function formResponse({ brand, browser }: LoginContext, html: string): BrowserResponse {
  return { html, headers: formPageHeaders(brand), cookies: browserCookies({ browser }) };
}

/** Returns the page of a login state or, while a sent message is pending, the page that asks for its code or link. */
export function showState(
  context: LoginContext,
  state: LoginState,
  feedback: Feedback = {},
): BrowserResponse {
  const { pending } = context.login.progress;
  const html = pending ? pendingPage(context, pending, feedback) : statePage(context, state, feedback);
  return formResponse(context, html);
}

/** States whose pages only `showCurrent` can render. */
const ELSEWHERE: readonly LoginState['kind'][] = ['connect', 'loss', 'consent', 'command-line', 'denied'];

/** Returns the current page with feedback on its form, or redirects if only `showCurrent` can render the page. */
export async function showPage(
  ports: StatePorts,
  context: LoginContext,
  feedback: Feedback = {},
): Promise<BrowserResponse> {
  const { state } = await deriveCurrentState(ports, context);
  return ELSEWHERE.includes(state.kind) ? redirectToPage(context) : showState(context, state, feedback);
}

export type Refusal = (typeof REFUSALS)[number];

/** Returns the feedback on a rejected code or link. The feedback is empty if another tab has continued the login. */
export function buildFeedback(context: LoginContext, refused: Refusal | undefined): Feedback {
  const { pending } = context.login.progress;
  if (!pending || refused === undefined) return {};
  // After a resend, the wrong code may be the earlier one. The page may say so, because the user knows about the earlier code.
  if (refused === 'code_wrong' && pending.isResent) return { error: { key: 'code_replaced' } };
  if (refused !== 'locked' && refused !== 'code_last') return { error: { key: refused } };
  return { error: { key: refused, retryAfterSeconds: readLockSeconds(context, pending) } };
}

/**
 * Redirects to the page of the current state, so that a reload does not repeat the form.
 * @param query Result that the page shows
 */
export function redirectToPage(
  context: LoginContext,
  query: { readonly refused?: Refusal; readonly lost?: 'asked' | 'impossible' } = {},
): BrowserResponse {
  const said = new URLSearchParams(query).toString();
  const path = `${loginPath(context.login.loginId)}${said && `?${said}`}`;
  return { redirect: `${context.settings.browserOrigin}${path}`, cookies: browserCookies(context) };
}
