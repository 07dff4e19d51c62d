import { csrfToken } from '../../domain/basis/browser.ts';
import { PASSCODE_DIGITS_MAX, SENDS_PER_MINUTE } from '../../domain/basis/limits.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { openAddress, type PendingCredential } from '../../domain/hosted-login/login-transaction.ts';
import { configuredProviders } from '../../domain/hosted-login/provider.ts';
import { maskEmail, maskPhoneNumber } from '../../templates/mask.ts';
import { codePage } from '../../templates/pages/code-page.ts';
import { continueFormPage } from '../../templates/pages/continue-form-page.ts';
import { identifyPage } from '../../templates/pages/identify-page.ts';
import { linkSentPage } from '../../templates/pages/link-sent-page.ts';
import { phonePage } from '../../templates/pages/phone-page.ts';
import { registerPasskeyPage } from '../../templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../templates/pages/second-factor-page.ts';
import type { PageError } from '../../templates/parts/form.ts';
import { formPageHeaders } from '../../templates/parts/frame.ts';
import type { LoginMethod } from '../../templates/parts/methods.ts';
import type { PageNotice } from '../../templates/parts/notice.ts';
import type { PasskeyTarget } from '../../templates/parts/passkey-form.ts';
import { type BrowserAnswer, browserCookies } from '../browser/browser-answer.ts';
import type { LoginContext } from './login-context.ts';
import { ceremonyOf, type Step } from './login-state.ts';

/** The page offers another message after this; the send window is what holds. */
const RESEND_AFTER_SECONDS = Math.ceil(60 / SENDS_PER_MINUTE) * 2;

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

/** What the application has to say on each page, and what is approved by this login. */
export function noticeOf({ login: { request } }: LoginContext): PageNotice {
  return { customMessage: request.customMessage, approvalData: request.approvalData };
}

/** What a page of a login shows beside its step. */
export interface Shown {
  readonly error?: PageError | undefined;
  /** Comes back into the field that was wrong. */
  readonly typed?: string | undefined;
}

function configured({ application }: LoginContext): readonly LoginMethod[] {
  const preferences = application.loginPreferences ?? {};
  const messages = (['email', 'link', 'sms'] as const).filter((method) => preferences[method] !== undefined);
  return [...messages, ...configuredProviders(application)];
}

/** Where the buttons of providers lead to: browsers hold every redirect after a submit against the policy. */
function providersOf({ application }: LoginContext): readonly string[] {
  return configuredProviders(application).map(
    (provider) => application.loginPreferences?.[provider]?.issuer ?? 'https://provider.invalid',
  );
}

function pendingPage(context: LoginContext, pending: PendingCredential, { error }: Shown): string {
  const { language, brand, browser, login } = context;
  const { loginId, progress } = login;
  const address = openAddress(browser, pending.sealedAddress);
  const common = {
    language,
    brand,
    csrf: csrfToken(browser, loginId),
    maskedTo: pending.channel === 'sms' ? maskPhoneNumber(address) : maskEmail(address),
    resendAction: loginPath(loginId, 'resend'),
    resendAfterSeconds: Math.max(0, pending.sentAt + RESEND_AFTER_SECONDS - nowSeconds()),
    changeAction: loginPath(loginId, 'change'),
    secondFactor: progress.userId !== undefined,
    notice: noticeOf(context),
    error,
  };
  if (pending.channel === 'link') return linkSentPage(common);
  const { channel } = pending;
  return codePage({
    ...common,
    channel,
    digitsMax: PASSCODE_DIGITS_MAX,
    action: loginPath(loginId, 'passcode'),
  });
}

/** Where they are wanted, where they are all there is, and where what a passkey approves can be proven to anybody. */
function beginsWithPasskeys(context: LoginContext): boolean {
  const { passkeyFirst, approvalData } = context.login.request;
  return passkeyFirst === true || approvalData !== undefined || configured(context).length === 0;
}

function stepPage(context: LoginContext, step: Step, { error, typed }: Shown): string {
  const { language, brand, browser, login } = context;
  const { request, loginId } = login;
  const notice = noticeOf(context);
  const common = { language, brand, csrf: csrfToken(browser, loginId), error, notice };
  switch (step.is) {
    case 'identify': {
      const identifier = typed ?? request.loginHint;
      const methods = configured(context);
      const isFirst = beginsWithPasskeys(context);
      const passkey = ceremonyOf(context, step) && { ...passkeyTarget(context), isFirst };
      return identifyPage({ ...common, action: loginPath(loginId), methods, identifier, passkey });
    }
    case 'factor': {
      const methods = step.open.map(({ method, maskedTo }) => ({ method, maskedTo }));
      const passkey = step.passkey ? passkeyTarget(context) : undefined;
      return secondFactorPage({ ...common, action: loginPath(loginId, 'second'), methods, passkey });
    }
    case 'passkey': {
      const isAll = request.enrolment !== undefined;
      const laterAction = loginPath(loginId, 'later');
      return registerPasskeyPage({ ...common, ...passkeyTarget(context), laterAction, isAll });
    }
    case 'phone':
      return phonePage({ ...common, action: loginPath(loginId, 'phone'), phoneNumber: typed });
    default:
      // The last answer was lost on its way: nothing is left to be asked.
      return continueFormPage({ ...common, action: loginPath(loginId, 'continue') });
  }
}

/** An answer that stays on the pages of the login, with the redirect URI as the way out of its forms. */
export function formAnswer(context: LoginContext, html: string): BrowserAnswer {
  const { brand, browser, login } = context;
  const headers = formPageHeaders({ brand, leadsTo: [login.request.redirectUri, ...providersOf(context)] });
  return { html, headers, cookies: browserCookies({ browser }) };
}

/** The page of the step that the login is at. */
export function loginPage(context: LoginContext, step: Step, shown: Shown = {}): BrowserAnswer {
  const { pending } = context.login.progress;
  const html = pending ? pendingPage(context, pending, shown) : stepPage(context, step, shown);
  return formAnswer(context, html);
}
