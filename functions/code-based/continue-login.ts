import { isPrefetch, readBrowser } from '../../shared/domain/basis/browser.ts';
import { isMailedLink } from '../../shared/domain/credentials/mailed-link.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { chooseLanguage } from '../../shared/flows/browser/browser-context.ts';
import { replaceForeignRedirect } from '../../shared/flows/browser/foreign-redirect.ts';
import { returnToCaller } from '../../shared/flows/redirect-login/return-to-caller.ts';
import type { UseCase } from '../../shared/operation.ts';
import { continueForm, isContinueForm } from './continue-form.ts';
import { findCode } from './login-code.ts';
import type * as rows from './rows.ts';

/**
 * Handles the form of a Continue page (SPEC C). The form either adds an emailed link as a factor to this browser's login, or
 * replaces another user's login with that of the user whose passcode was validated.
 */
export const continueCodeBasedLogin: UseCase<typeof rows.continueCodeBasedLogin> = async (input, ports) => {
  const { query, form, request, settings, audit } = input;
  const record = await findCode(ports, query.code, audit);
  if (!record) throw new ServiceError('link_not_found');
  const browser = readBrowser(request.cookies);
  // The CSRF token needs the browser's cookie. Without a valid token, another site may have sent the form.
  const isConfirmed = (replacedUserId: string | undefined) =>
    isContinueForm(browser, record, replacedUserId, form.csrf);
  const returned = await returnToCaller(ports, { code: query.code, record }, input, isConfirmed);
  if (returned && 'replaces' in returned) throw new ServiceError('resume_elsewhere');
  if (!returned) throw new ServiceError('resume_over');
  return replaceForeignRedirect(returned, settings, { language: chooseLanguage(request) });
};

/**
 * Redirects the browser to the caller's redirect URI with the authorization code of a validated passcode (SPEC C). If the login
 * requires one factor, nothing is stored. If the login requires two factors, the browser's session stores the first factor, and
 * only the code of the second factor can be exchanged for tokens. If another user is logged in to this browser, a page asks
 * before the code replaces that login.
 */
export const resumeLogin: UseCase<typeof rows.resumeLogin> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const language = chooseLanguage(request, query.ui_locales);

  const { code } = query;
  const record = await findCode(ports, code, audit);
  // An emailed link must go through its Continue page.
  if (!record || isMailedLink(record)) throw new ServiceError('login_not_found');
  // An attacker may have sent this URL to the user, so a page asks before it replaces a login.
  const returned = await returnToCaller(ports, { code, record }, input, (replaced) => replaced === undefined);
  if (!returned) throw new ServiceError('resume_over');
  if (!('replaces' in returned)) return returned;
  const { replaces, application } = returned;
  return continueForm({ code, record, application, language, cookies: request.cookies, replaces });
};
