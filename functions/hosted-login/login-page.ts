import { csrfToken } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { deadEnd } from '../../shared/flows/hosted-login/advance.ts';
import { type LoginContext, loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { standingOf } from '../../shared/flows/hosted-login/login-state.ts';
import {
  formAnswer,
  loginPath,
  noticeOf,
  loginPage as pageOf,
} from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import type * as rows from './rows.ts';

/** A mailed link asks for a click: programs that open links do not submit forms. */
function linkPage(context: LoginContext, link: string): BrowserAnswer {
  const { language, brand, browser, login } = context;
  const action = `${loginPath(login.loginId, 'link')}?link=${encodeURIComponent(link)}`;
  const csrf = csrfToken(browser, login.loginId);
  return formAnswer(context, continueFormPage({ language, brand, action, csrf, notice: noticeOf(context) }));
}

/** The hosted login page, at the step that the login is at. */
export const loginPage: UseCase<typeof rows.loginPage> = async (
  { path, query, request, settings, audit },
  ports,
) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    if (query.link !== undefined && context.login.progress.pending?.channel === 'link')
      return linkPage(context, query.link);
    const { step } = await standingOf(ports, context);
    return pageOf(context, step);
  } catch (error) {
    return deadEnd(error, { ...request, byLink: query.link !== undefined }, audit);
  }
};
