import { csrfToken } from '../../domain/basis/browser.ts';
import {
  MINUTE_SECONDS,
  PASSCODE_LOCK_MINUTES,
  SECONDS_PER_MINUTE,
  SENDS_PER_MINUTE,
} from '../../domain/basis/limits.ts';
import { approvalParts } from '../../domain/credentials/approval-data.ts';
import { configuredChannels } from '../../domain/credentials/login-preferences.ts';
import { passcodeSettings } from '../../domain/credentials/passcode-settings.ts';
import {
  type LoginProgress,
  openAddress,
  type PendingCredential,
} from '../../domain/hosted-login/login-transaction.ts';
import { holdsPasskey, passkeyCookieName } from '../../domain/hosted-login/passkey-offer.ts';
import { phoneCountries } from '../../domain/identifiers/phone-number.ts';
import { configuredProviders } from '../../domain/social/provider.ts';
import { needsCompany } from '../../domain/trust/kinds.ts';
import type { Address } from '../../ports/people.ts';
import { type AddressType, channels, isBesideLink, isChannel, sendsCode } from '../../records/channels.ts';
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
import { type BrowserAnswer, browserCookies } from '../browser/browser-answer.ts';
import { allowsSignUp, type LoginContext } from './login-context.ts';
import { ceremonyOf, currentState, type LoginState, type StatePorts } from './login-state.ts';
import type { OpenFactor } from './message-factors.ts';

/**
 * Returns after how many seconds the page offers another message: half as often as the application sends, and at the latest when a
 * new window of a minute has begun. The limit itself is the send window.
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
    csrf: csrfToken(browser, loginId),
  };
}

/** The client's message on each page, and what this login approves. */
export function noticeOf({ login: { request } }: LoginContext): PageNotice {
  const { type, texts } = approvalParts(request.approvalData);
  return { customMessage: request.customMessage, approvalType: type, approvalData: texts };
}

/** What was wrong with the form before. */
export interface Feedback {
  readonly error?: PageError | undefined;
  /** Goes back into the field. */
  readonly typed?: string | undefined;
  /** A passkey that was used and that no record of the environment has. */
  readonly unknown?: { readonly rpId: string; readonly credentialId: string } | undefined;
  /** Chosen for a number, in ISO 3166-1; empty: none. */
  readonly country?: string | undefined;
}

const configured = ({ application }: LoginContext): readonly LoginMethod[] => [
  ...shownMethods(configuredChannels(application)),
  ...configuredProviders(application),
];

function shownFactors(open: readonly OpenFactor[]): readonly OpenFactor[] {
  const shown = shownMethods(open.map(({ method }) => method));
  return open.filter(({ method }) => shown.includes(method));
}

/** How long wrong codes of this message lock. */
export function lockSecondsOf({ application }: LoginContext, { channel }: PendingCredential): number {
  const { lockMinutes = PASSCODE_LOCK_MINUTES } =
    (sendsCode(channel) && application.loginPreferences?.[channel]) || {};
  return lockMinutes * SECONDS_PER_MINUTE;
}

/** The closed code of this address, while it is closed. */
export function closedCode({ login, now }: LoginContext, codeKey: string): LoginProgress['closed'] {
  const { closed } = login.progress;
  return closed?.codeKey === codeKey && (closed.isFinal || closed.until > now) ? closed : undefined;
}

/** The form of a link to the address of a closed code. */
function linkInstead(context: LoginContext, pending: PendingCredential, address: string) {
  const { loginId, progress } = context.login;
  const { application } = context;
  if (!application.loginPreferences?.link || !isBesideLink(pending.channel)) return undefined;
  return progress.userId === undefined
    ? { action: loginPath(loginId), identifier: address }
    : { action: loginPath(loginId, 'second') };
}

function pendingPage(context: LoginContext, pending: PendingCredential, { error }: Feedback): string {
  const { application, language, brand, browser, login, now } = context;
  const { loginId, progress } = login;
  const address = openAddress(browser, pending.sealedAddress);
  const isTyped = progress.userId === undefined || pending.adds === true;
  const masked = masks[channels[pending.channel].address](address);
  const common = {
    language,
    brand,
    csrf: csrfToken(browser, loginId),
    // What comes from the user's record is masked: the browser may be another's.
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
    notice: noticeOf(context),
    error,
  };
  const { channel } = pending;
  if (!sendsCode(channel)) return linkSentPage(common);
  const closed = closedCode(context, pending.codeKey);
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

function countriesOf({ settings, ...context }: LoginContext, country: string | undefined): PhoneCountries {
  return { all: phoneCountries(settings), chosen: country ?? context.country };
}

/** Asks for the country of a number that was typed without it, and goes back to the first page. */
export function showNumberPage(context: LoginContext, { error, typed, country }: Feedback): BrowserAnswer {
  const { language, brand, browser, login } = context;
  const { loginId } = login;
  const page = phonePage({
    language,
    brand,
    error,
    identifies: true,
    phoneNumber: typed,
    countries: countriesOf(context, country),
    action: loginPath(loginId),
    csrf: csrfToken(browser, loginId),
    notice: noticeOf(context),
    backHref: loginPath(loginId),
    cancelAction: loginPath(loginId, 'cancel'),
  });
  return formAnswer(context, page);
}

/** If the request wants them, there is no other method or this browser has one, and for approvals, which a passkey signs. */
function beginsWithPasskeys(context: LoginContext): boolean {
  const { passkeyFirst, approvalData } = context.login.request;
  const isWanted = passkeyFirst === true || approvalData !== undefined || configured(context).length === 0;
  return isWanted || holdsPasskey(context.passkeyAnswers, context.now);
}

/** The address that another one replaces, masked: the browser may be another's. A number gets no link. */
const replacedBy = (address: Address | undefined, type: AddressType) =>
  address && {
    shown: masks[type](address.value),
    canUndo: type === 'email' && address.standing !== 'claimed',
  };

function statePage(context: LoginContext, state: LoginState, feedback: Feedback): string {
  const { error, typed, country, unknown } = feedback;
  const { language, brand, browser, login } = context;
  const { request, loginId } = login;
  const notice = noticeOf(context);
  const cancelAction = loginPath(loginId, 'cancel');
  const signals = unknown && ([['signalUnknownCredential', unknown]] as const);
  const common = { language, brand, csrf: csrfToken(browser, loginId), error, notice, cancelAction, signals };
  switch (state.kind) {
    case 'identify': {
      const { sealedTyped } = login.progress;
      const before = sealedTyped === undefined ? request.loginHint : openAddress(browser, sealedTyped);
      const identifier = typed ?? before;
      const methods = configured(context);
      const isFirst = beginsWithPasskeys(context);
      const { application, tenant } = context;
      const offers = application.offerPasskeys ? passkeyCookieName(tenant.tenantId) : undefined;
      const passkey = ceremonyOf(context, state) && { ...passkeyTarget(context), isFirst, offers };
      const signsUp = request.prompts.includes('create') && allowsSignUp(context);
      // The others come first.
      const main = methods.find(isChannel);
      const takesNumber = main !== undefined && channels[main].address === 'phone_number';
      const countries = takesNumber ? countriesOf(context, country) : undefined;
      const action = loginPath(loginId);
      return identifyPage({ ...common, action, methods, identifier, countries, passkey, signsUp });
    }
    case 'second-factor': {
      const methods = [
        ...shownFactors(state.open).map(({ method, maskedTo }) => ({ method, maskedTo })),
        ...state.providers.map((method) => ({ method })),
      ];
      const passkey = state.passkey ? passkeyTarget(context) : undefined;
      const isAlone = needsCompany(login.progress.proven);
      const target = {
        action: loginPath(loginId, 'second'),
        lostAction: isAlone || state.stale ? undefined : loginPath(loginId, 'lost'),
        laterAction: state.isOptional ? loginPath(loginId, 'later') : undefined,
      };
      return secondFactorPage({ ...common, ...target, methods, passkey, isAlone, stale: state.stale });
    }
    case 'passkey': {
      const { isOffer, isFactor } = state;
      const isAll = request.enrolment !== undefined || isFactor === 'last';
      const laterAction = loginPath(loginId, 'later');
      // There, to skip the passkey is to cancel; after an offer the login goes on in any case.
      const exits = isAll || isOffer ? { cancelAction: undefined } : {};
      const target = { ...passkeyTarget(context), laterAction };
      return registerPasskeyPage({ ...common, ...exits, ...target, isAll, isFactor, isSilentFirst: isOffer });
    }
    case 'email': {
      const methods = shownFactors(state.open);
      return secondFactorPage({ ...common, action: loginPath(loginId, 'second'), methods, verifies: true });
    }
    case 'number':
      return phonePage({
        ...common,
        action: loginPath(loginId, 'phone'),
        phoneNumber: typed,
        countries: countriesOf(context, country),
        change: 'replaces' in state ? { replaces: replacedBy(state.replaces, 'phone_number') } : undefined,
      });
    case 'new-email': {
      const byLink = context.application.loginPreferences?.email === undefined;
      const replaces = replacedBy(state.replaces, 'email');
      return newEmailPage({ ...common, action: loginPath(loginId, 'email'), typed, byLink, replaces });
    }
    default:
      // The answer that ended the login was lost: a click asks for it again.
      return continueFormPage({ ...common, resumes: true, action: loginPath(loginId, 'continue') });
  }
}

/** A page with forms. */
export function formAnswer({ brand, browser }: LoginContext, html: string): BrowserAnswer {
  return { html, headers: formPageHeaders(brand), cookies: browserCookies({ browser }) };
}

/** The page of a state, or of the message that is pending in it. */
export function showState(context: LoginContext, state: LoginState, feedback: Feedback = {}): BrowserAnswer {
  const { pending } = context.login.progress;
  const html = pending ? pendingPage(context, pending, feedback) : statePage(context, state, feedback);
  return formAnswer(context, html);
}

/** States whose pages `showCurrent` has. */
const ELSEWHERE: readonly LoginState['kind'][] = ['connect', 'loss', 'consent', 'command-line', 'denied'];

/** The page of the current state, to correct what was sent. Where nothing is typed, `showCurrent` has the page. */
export async function showPage(
  ports: StatePorts,
  context: LoginContext,
  feedback: Feedback = {},
): Promise<BrowserAnswer> {
  const { state } = await currentState(ports, context);
  return ELSEWHERE.includes(state.kind) ? redirectToPage(context) : showState(context, state, feedback);
}

export type Refusal = (typeof REFUSALS)[number];

/** What the page says of a refused code or link. Nothing, once another tab has gone on. */
export function feedbackOf(context: LoginContext, refused: Refusal | undefined): Feedback {
  const { pending } = context.login.progress;
  if (!pending || refused === undefined) return {};
  // Of an earlier message: who typed it knows that there was one.
  if (refused === 'code_wrong' && pending.isResent) return { error: { key: 'code_replaced' } };
  if (refused !== 'locked') return { error: { key: refused } };
  return { error: { key: 'locked', retryAfterSeconds: lockSecondsOf(context, pending) } };
}

/** Redirects to the page of the current state, so a reload repeats no form. `query` is what the page says. */
export function redirectToPage(
  context: LoginContext,
  query: { readonly refused?: Refusal; readonly lost?: 'asked' | 'impossible' } = {},
): BrowserAnswer {
  const said = new URLSearchParams(query).toString();
  const path = `${loginPath(context.login.loginId)}${said && `?${said}`}`;
  return { redirect: `${context.settings.browserOrigin}${path}`, cookies: browserCookies(context) };
}
