import { csrfToken } from '../../shared/domain/browser.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { formPageHeaders } from '../../shared/templates/pages/frame.ts';
import { loginPage as operation } from '../rows/browser.ts';
import { type BrowserAnswer, browserCookies } from './answer.ts';
import { type LoginContext, loginContext } from './login/context.ts';
import { earlierFactors, openFactors } from './login/second-factor.ts';
import { loginPage, loginPath } from './login/show.ts';
import { deadEnd, languageOf } from './login/step.ts';

/** A mailed link asks for a click: programs that open links do not submit forms. */
function linkPage(context: LoginContext, link: string): BrowserAnswer {
  const { language, brand, browser, login } = context;
  const action = `${loginPath(login.loginId, 'link')}?link=${encodeURIComponent(link)}`;
  return {
    html: continueFormPage({ language, brand, action, csrf: csrfToken(browser, login.loginId) }),
    headers: formPageHeaders({ brand, leadsTo: [login.request.redirectUri] }),
    cookies: browserCookies(context),
  };
}

/** The hosted login page, at the step that the login is at. */
export const useCase: UseCase<typeof operation> = async (
  { path, query, request, settings, audit },
  ports,
) => {
  if (request.method === 'HEAD') return { none: true, status: 200 };
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    if (query.link !== undefined && context.login.progress.pending?.channel === 'link')
      return linkPage(context, query.link);
    const used = [...(await earlierFactors(ports, context)), ...context.login.progress.proven];
    return loginPage(context, await openFactors(ports, context, used));
  } catch (error) {
    return deadEnd(error, languageOf(request));
  }
};

export const handler = lambda(operation, useCase);
