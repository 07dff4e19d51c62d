import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { isMailedLink } from '../../shared/domain/credentials/mailed-link.ts';
import { returnToCaller } from '../../shared/flows/redirect-login/return-to-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { type Language, negotiateLanguage } from '../../shared/templates/language.ts';
import { consentlessErrorPage } from '../../shared/templates/pages/consentless-error-page.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { pageHeaders } from '../../shared/templates/parts/frame.ts';
import type { DeadEndKey } from '../../shared/templates/texts/login-texts.ts';
import { continueForm, isFormOf } from './continue-form.ts';
import { findCode } from './login-code.ts';
import type * as rows from './rows.ts';

/** The error page for a browser that cannot return to the caller. */
function cannotContinue(language: Language, status: 400 | 404, key: DeadEndKey = 'login_expired') {
  return { html: consentlessErrorPage({ language, key }), status, headers: pageHeaders };
}

/**
 * C. Submits a Continue page: counts a mailed link as one factor of the login in this browser, or replaces the login of another
 * user by the one that a passcode proved.
 */
export const continueCodeBasedLogin: UseCase<typeof rows.continueCodeBasedLogin> = async (input, ports) => {
  const { query, form, request, audit } = input;
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const record = await findCode(ports, query.code, audit);
  if (!record) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const browser = readBrowser(request.cookies);
  // Without its cookie the browser cannot keep what the code proves, and another site may have sent the form.
  const isConfirmed = (replacedUserId: string | undefined) =>
    isFormOf(browser, record, replacedUserId, form.csrf);
  const returned = await returnToCaller(ports, query.code, record, input, isConfirmed);
  if (returned && 'replaces' in returned) return cannotContinue(language, 400, 'cookies_needed');
  return returned ?? cannotContinue(language, 400);
};

/**
 * C. Redirects the browser to the caller with the code of a validated passcode. Writes only where two factors are needed: the
 * browser then keeps the first, and the code of the second becomes exchangeable. Asks before it replaces another login.
 */
export const resumeLogin: UseCase<typeof rows.resumeLogin> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const { code } = query;
  const record = await findCode(ports, code, audit);
  // A link has to pass its Continue page.
  if (!record || isMailedLink(record)) return cannotContinue(language, 404);
  // An attacker may have sent this URL: ask before it replaces a login.
  const returned = await returnToCaller(ports, code, record, input, (replaced) => replaced === undefined);
  if (!returned || !('replaces' in returned)) return returned ?? cannotContinue(language, 400);
  const { replaces, application } = returned;
  return continueForm({ code, record, application, language, cookies: request.cookies, replaces });
};
