import type { ErrorKey } from '../../errors/catalogue.ts';
import type { ErrorPage } from '../../http/serve.ts';
import { type Language, negotiateLanguage } from '../../templates/language.ts';
import { consentlessErrorPage } from '../../templates/pages/consentless-error-page.ts';
import { linkUnknownPage } from '../../templates/pages/link-unknown-page.ts';
import { pageHeaders } from '../../templates/parts/frame.ts';
import type { DeadEndKey } from '../../templates/texts/login-texts.ts';

/** Errors that another request does not cure. */
const DEAD_ENDS: Partial<Readonly<Record<ErrorKey, DeadEndKey>>> = {
  rate_limited: 'rate_limited',
  service_unavailable: 'server_error',
  internal_error: 'server_error',
};

const ACCEPTS_HTML = /\btext\/html\b/;

/**
 * Errors as pages, where the request accepts HTML. `broken` is the page for an address or form that the service never made;
 * without it the client made the mistake and gets JSON.
 */
function errorPage(broken?: (language: Language) => string): ErrorPage {
  return ({ key }, { headers }) => {
    if (!ACCEPTS_HTML.test(headers.accept ?? '')) return undefined;
    const language = negotiateLanguage({ acceptLanguage: headers['accept-language'] });
    const end = DEAD_ENDS[key];
    const html = end === undefined ? broken?.(language) : consentlessErrorPage({ language, key: end });
    return html === undefined ? undefined : { html, headers: pageHeaders };
  };
}

/** For authorization and logout requests. */
export const requestErrorPage = errorPage();

/** For a login in progress. */
export const loginErrorPage = errorPage((language) =>
  consentlessErrorPage({ language, key: 'login_expired' }),
);

/** For links in mails. */
export const linkErrorPage = errorPage((language) => linkUnknownPage({ language }));
