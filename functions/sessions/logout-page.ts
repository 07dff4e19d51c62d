import { lambda } from '../../shared/aws/lambda.ts';
import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { findKeptLogout } from '../../shared/domain/hosted-login/kept-logout.ts';
import { spentPage } from '../../shared/flows/hosted-login/answer-browser.ts';
import { errorPage } from '../../shared/flows/hosted-login/error-page.ts';
import type { Settings, UseCase } from '../../shared/operation.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { askPage, finishLogout, type LogoutRequest, readLogout } from './browser-logout.ts';
import { logoutPage as operation } from './rows.ts';

/** What the address says, or what was posted before (`logout_request`). Errors: `request_uri_spent`. */
async function requested(
  ports: Using<'pushedRequests.spend' | 'signingKeys'>,
  given: LogoutRequest['query'],
  { cookies }: { readonly cookies: Readonly<Record<string, string>> },
  { issuer }: Pick<Settings, 'issuer'>,
): Promise<LogoutRequest> {
  const { logout_request: kept } = given;
  const query: LogoutRequest['query'] =
    kept === undefined ? given : await findKeptLogout(ports, kept, readBrowser(cookies));
  if (query.id_token_hint === undefined) return { query };
  return {
    query,
    hint: await verifyIdTokenHint(query.id_token_hint, await ports.signingKeys.list(), issuer),
  };
}

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0). Who brings the ID token of the very login is taken at their
 * word; everybody else could be a picture on a stranger's page, so the person is asked.
 */
export const useCase: UseCase<typeof operation> = async ({ query, request, settings, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  try {
    const logout = await readLogout(ports, await requested(ports, query, request, settings), request);
    for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
    return logout.isMeant ? await finishLogout(ports, logout) : askPage(logout);
  } catch (error) {
    const acceptLanguage = request.headers['accept-language'];
    const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });
    return spentPage(error, { language, brand: { name: '' } }, request, audit);
  }
};

export const handler = lambda(operation, useCase, errorPage());
