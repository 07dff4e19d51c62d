import { readBrowser } from '../../shared/domain/browser.ts';
import { enrolmentRequest, openEnrolment } from '../../shared/domain/enrolment.ts';
import { newLogin } from '../../shared/domain/login-transaction.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { pageHeaders } from '../../shared/templates/pages/frame.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { passkeyRegistrationPage as operation } from '../rows/browser.ts';
import { browserCookies } from './answer.ts';
import { browserContext } from './context.ts';
import { linkErrorPage } from './error-page.ts';
import { loginPath } from './login/show.ts';

/** Opens the hosted registration of a passkey, in the first browser that brings the client's token. */
export const useCase: UseCase<typeof operation> = async ({ query, request, settings, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { register_webauthn_cred_token: token = '', ui_locales: uiLocales } = query;
  const browser = readBrowser(request.cookies);
  const opened = await openEnrolment(ports, token, browser);
  if (!opened) {
    const language = negotiateLanguage({ uiLocales, acceptLanguage: request.headers['accept-language'] });
    return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  }
  const { clientId, enrolment } = opened;
  const found = await browserContext(ports, clientId, request, settings, uiLocales);
  // The cookie of a new browser is that for which the token was spent.
  const context = { ...found, browser };
  const { tenantId, applicationId } = context.application;
  audit({ tenantId, applicationId, clientId, userId: enrolment.userId });
  const progress = { proven: [], userId: enrolment.userId };
  const wanted = enrolmentRequest(clientId, enrolment, uiLocales);
  const { loginId, transaction } = newLogin(context, browser, wanted, progress);
  await ports.loginTransactions.put(transaction);
  return { redirect: `${settings.browserOrigin}${loginPath(loginId)}`, cookies: browserCookies(context) };
};

export const handler = lambda(operation, useCase, linkErrorPage);
