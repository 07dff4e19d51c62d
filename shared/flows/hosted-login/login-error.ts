import { BROWSER_COOKIE } from '../../domain/basis/browser.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import { negotiateLanguage } from '../../templates/language.ts';
import { consentlessErrorPage } from '../../templates/pages/consentless-error-page.ts';
import { pageHeaders } from '../../templates/parts/frame.ts';
import type { DeadEndKey } from '../../templates/texts/login-texts.ts';
import type { BrowserAnswer } from '../browser/browser-answer.ts';

const PAGES: Readonly<Record<string, { readonly key: DeadEndKey; readonly status: 404 | 503 }>> = {
  login_not_found: { key: 'login_expired', status: 404 },
  login_elsewhere: { key: 'wrong_browser', status: 404 },
  service_unavailable: { key: 'server_error', status: 503 },
};

interface PageRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** From a mail, which may be read in any browser. */
  readonly byLink: boolean;
}

/** The redirect to a page sets the cookie: a browser that comes without it keeps none. */
function keepsNoCookies({ cookies, byLink }: PageRequest): boolean {
  return cookies[BROWSER_COOKIE] === undefined && !byLink;
}

/** A page for a login that cannot go on and has no client to return to. Throws every other error. */
export function showLoginError(
  error: unknown,
  request: PageRequest,
  audit: (context: AuditContext) => void,
): BrowserAnswer {
  const page = error instanceof ServiceError ? PAGES[error.key] : undefined;
  if (!page || !(error instanceof ServiceError)) throw error;
  audit({ ...error.detail.audit, result: error.key });
  const key = page.key === 'wrong_browser' && keepsNoCookies(request) ? 'cookies_needed' : page.key;
  const language = negotiateLanguage({
    uiLocales: undefined,
    acceptLanguage: request.headers['accept-language'],
  });
  const html = consentlessErrorPage({ language, key });
  return { html, status: page.status, headers: pageHeaders, cookies: [] };
}
