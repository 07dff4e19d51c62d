import { computeCsrfToken, isPrefetch } from '../../shared/domain/basis/browser.ts';
import { type BrowserResponse, rememberLanguage } from '../../shared/flows/browser/browser-response.ts';
import { type LoginContext, loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { showCurrent } from '../../shared/flows/hosted-login/show-current.ts';
import {
  buildFeedback,
  buildPageNotice,
  formResponse,
  loginPath,
} from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import type * as rows from './rows.ts';
import { showRecovery } from './show-recovery.ts';

/** Shows a page with a button for a mailed link, because mail scanners open links but do not submit forms. */
function linkPage(context: LoginContext, link: string): BrowserResponse {
  const { language, browser, login } = context;
  // The page offers no other languages, because switching would lead to the page without the link.
  const brand = { ...context.brand, languagePickerHref: undefined };
  const action = `${loginPath(login.loginId, 'link')}?link=${encodeURIComponent(link)}`;
  const csrf = computeCsrfToken(browser, login.loginId);
  const cancelAction = loginPath(login.loginId, 'cancel');
  const shown = { language, brand, action, csrf, cancelAction, notice: buildPageNotice(context) };
  return formResponse(context, continueFormPage(shown));
}

/** Shows the page for the current state of a login. */
export const loginPage: UseCase<typeof rows.loginPage> = async (input, ports) => {
  const { path, query, request } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  // The ID is encoded, because the ID in the path may be any text if no such login exists.
  const address = `${input.settings.browserOrigin}${loginPath(encodeURIComponent(path.loginId))}`;
  if (query.language !== undefined) return rememberLanguage(address, query.language);
  const context = await loginContext(ports, path.loginId, input, query.link);
  if (query.link !== undefined && context.login.progress.pending?.linkHash !== undefined)
    return linkPage(context, query.link);
  if (query.lost !== undefined) return showRecovery(ports, context, query.lost);
  return showCurrent(ports, context, buildFeedback(context, query.refused));
};
