import { csrfToken } from '../../../shared/domain/browser.ts';
import { SENDS_PER_MINUTE } from '../../../shared/domain/limits.ts';
import { openAddress, type PendingCredential } from '../../../shared/domain/login-transaction.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { maskEmail, maskPhoneNumber } from '../../../shared/templates/mask.ts';
import { codePage } from '../../../shared/templates/pages/code-page.ts';
import type { PageError } from '../../../shared/templates/pages/form.ts';
import { formPageHeaders } from '../../../shared/templates/pages/frame.ts';
import { identifyPage } from '../../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../../shared/templates/pages/link-sent-page.ts';
import type { MessageMethod } from '../../../shared/templates/pages/methods.ts';
import { secondFactorPage } from '../../../shared/templates/pages/second-factor-page.ts';
import { type BrowserAnswer, browserCookies } from '../answer.ts';
import type { LoginContext } from './context.ts';
import type { OpenFactor } from './second-factor.ts';

/** The page offers another message after this; the send window is what holds. */
const RESEND_AFTER_SECONDS = Math.ceil(60 / SENDS_PER_MINUTE) * 2;

export function loginPath(loginId: string, act?: string): string {
  return act === undefined ? `/login/${loginId}` : `/login/${loginId}/${act}`;
}

function configured({ application }: LoginContext): readonly MessageMethod[] {
  const preferences = application.loginPreferences ?? {};
  return (['email', 'link', 'sms'] as const).filter((method) => preferences[method] !== undefined);
}

function pendingPage(
  context: LoginContext,
  pending: PendingCredential,
  error: PageError | undefined,
): string {
  const { language, brand, browser, login, application } = context;
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
    error,
  };
  if (pending.channel === 'link') return linkSentPage(common);
  const digitsMax = application.loginPreferences?.[pending.channel]?.digits ?? 8;
  const { channel } = pending;
  return codePage({ ...common, channel, digitsMax, action: loginPath(loginId, 'passcode') });
}

/** The page of the step that the login is at. `typed` comes back into the field that was wrong. */
export function loginPage(
  context: LoginContext,
  open: readonly OpenFactor[],
  shown: { readonly error?: PageError; readonly typed?: string | undefined } = {},
): BrowserAnswer {
  const { language, brand, browser, login } = context;
  const { progress, request, loginId } = login;
  const csrf = csrfToken(browser, loginId);
  const html = () => {
    if (progress.pending) return pendingPage(context, progress.pending, shown.error);
    if (progress.userId !== undefined)
      return secondFactorPage({
        language,
        brand,
        csrf,
        action: loginPath(loginId, 'second'),
        methods: open.map(({ method, maskedTo }) => ({ method, maskedTo })),
        error: shown.error,
      });
    return identifyPage({
      language,
      brand,
      csrf,
      action: loginPath(loginId),
      methods: configured(context),
      identifier: shown.typed ?? request.loginHint,
      error: shown.error,
    });
  };
  return {
    html: html(),
    headers: formPageHeaders({ brand, leadsTo: [request.redirectUri] }),
    cookies: browserCookies(context),
  };
}
