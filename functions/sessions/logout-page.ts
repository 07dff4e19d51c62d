import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { spentPage } from '../browser/answer.ts';
import { errorPage } from '../browser/error-page.ts';
import { logoutPage as operation } from '../rows/sessions.ts';
import { askPage, finishLogout, readLogout } from './browser-logout.ts';

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0). Who brings the ID token of the very login is taken at their
 * word; everybody else could be a picture on a stranger's page, so the person is asked.
 */
export const useCase: UseCase<typeof operation> = async ({ query, request, settings, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  try {
    const logout = await readLogout(ports, query, request, settings);
    for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
    return logout.isMeant ? await finishLogout(ports, logout) : askPage(logout);
  } catch (error) {
    const acceptLanguage = request.headers['accept-language'];
    const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });
    return spentPage(error, { language, brand: { name: '' } }, request, audit);
  }
};

export const handler = lambda(operation, useCase, errorPage());
