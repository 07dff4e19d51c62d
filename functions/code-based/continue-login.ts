import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { isMailedLink } from '../../shared/domain/credentials/mailed-link.ts';
import { leadOn } from '../../shared/flows/redirect-login/lead-on.ts';
import type { UseCase } from '../../shared/operation.ts';
import { type Language, negotiateLanguage } from '../../shared/templates/language.ts';
import { consentlessErrorPage } from '../../shared/templates/pages/consentless-error-page.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { pageHeaders } from '../../shared/templates/parts/frame.ts';
import type { DeadEndKey } from '../../shared/templates/texts/login-texts.ts';
import { continueForm, isFormOf } from './continue-form.ts';
import { findCode } from './find-code.ts';
import type * as rows from './rows.ts';

/** For a browser that there is no leading back. */
export function deadEnd(language: Language, status: 400 | 404, key: DeadEndKey = 'login_expired') {
  return { html: consentlessErrorPage({ language, key }), status, headers: pageHeaders };
}

/**
 * C. Goes on from a Continue page: counts a mailed link as one factor of the login in this browser, or puts the login that
 * a passcode proved in the place of somebody else's.
 */
export const continueCodeBasedLogin: UseCase<typeof rows.continueCodeBasedLogin> = async (input, ports) => {
  const { query, form, request, audit } = input;
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const record = await findCode(ports, query.code, audit);
  if (!record) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const browser = readBrowser(request.cookies);
  // Without its cookie the browser could not hold what the code proves, and another site may have sent the form.
  const mayGoOn = (other: string | undefined) => isFormOf(browser, record, other, form.csrf);
  const led = await leadOn(ports, query.code, record, input, mayGoOn);
  if (led && 'asks' in led) return deadEnd(language, 400, 'cookies_needed');
  return led ?? deadEnd(language, 400);
};

/**
 * C. Leads the browser back to the caller with the code of a validated passcode. Nothing is written, unless two factors are
 * needed: then the browser gets hold of the first one, and the code of the second becomes exchangeable. Who is logged in as
 * somebody else is asked before.
 */
export const resumeLogin: UseCase<typeof rows.resumeLogin> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const { code } = query;
  const record = await findCode(ports, code, audit);
  // The Continue page stands before the codes of links.
  if (!record || isMailedLink(record)) return deadEnd(language, 404);
  // The address may have been sent by a stranger: nobody's login gives way to it unasked.
  const led = await leadOn(ports, code, record, input, (other) => other === undefined);
  if (!led || !('asks' in led)) return led ?? deadEnd(language, 400);
  const { asks: other, application } = led;
  return continueForm({ code, record, application, language, cookies: request.cookies, other });
};
