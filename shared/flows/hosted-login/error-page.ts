import type { ErrorKey } from '../../errors/catalogue.ts';
import type { ErrorPage } from '../../http/serve.ts';
import { type Language, negotiateLanguage } from '../../templates/language.ts';
import { consentlessErrorPage } from '../../templates/pages/consentless-error-page.ts';
import { linkUnknownPage } from '../../templates/pages/link-unknown-page.ts';
import { pageHeaders } from '../../templates/parts/frame.ts';
import type { DeadEndKey } from '../../templates/texts/login-texts.ts';

/** What no person can mend by asking for something else. */
const DEAD_ENDS: Partial<Readonly<Record<ErrorKey, DeadEndKey>>> = {
  rate_limited: 'rate_limited',
  service_unavailable: 'server_error',
  internal_error: 'server_error',
};

const READ_BY_A_PERSON = /\btext\/html\b/;

/**
 * Errors as pages, for whoever opens the operation in a browser. `broken` is the page of an address or form that is none of
 * ours; without it the caller has made a mistake, and is told so in JSON.
 */
function errorPage(broken?: (language: Language) => string): ErrorPage {
  return ({ key }, { headers }) => {
    if (!READ_BY_A_PERSON.test(headers.accept ?? '')) return undefined;
    const language = negotiateLanguage({ acceptLanguage: headers['accept-language'] });
    const end = DEAD_ENDS[key];
    const html = end === undefined ? broken?.(language) : consentlessErrorPage({ language, key: end });
    return html === undefined ? undefined : { html, headers: pageHeaders };
  };
}

/** Of an authorization or logout request. */
export const requestErrorPage = errorPage();

/** Of a login that is under way. */
export const loginErrorPage = errorPage((language) =>
  consentlessErrorPage({ language, key: 'login_expired' }),
);

/** Of what is opened from a mail. */
export const linkErrorPage = errorPage((language) => linkUnknownPage({ language }));
