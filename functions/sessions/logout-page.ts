import { isOwnForm, readBrowser } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { findKeptLogout, keepLogout } from '../../shared/domain/hosted-login/kept-logout.ts';
import { spentPage } from '../../shared/flows/browser/browser-answer.ts';
import type { Settings, UseCase } from '../../shared/operation.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { askPage, finishLogout, LOGOUT_FORM, type LogoutRequest, readLogout } from './browser-logout.ts';
import type * as rows from './rows.ts';

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
export const logoutPage: UseCase<typeof rows.logoutPage> = async (
  { query, request, settings, audit },
  ports,
) => {
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

/**
 * The logout by POST. An application's request is kept and led on by a GET, which brings the Lax cookies that a cross-site
 * POST does not; the person's answer to our question comes from our own page, with the proof of it, and ends the login.
 */
export const logoutByPost: UseCase<typeof rows.logoutByPost> = async (
  { query, form, request, settings, audit },
  ports,
) => {
  const { csrf, ...parameters } = form;
  if (csrf === undefined) {
    const kept = { logout_request: await keepLogout(ports, parameters) };
    return { redirect: withParameters(`${settings.issuer}/session/end`, kept) };
  }
  // Our page brings back what counts; a token or an earlier request in the address of its form is a stranger's.
  const { id_token_hint: _, logout_request: __, ...confirmed } = query;
  const logout = await readLogout(ports, { query: confirmed }, request);
  for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
  return isOwnForm(logout.browser, LOGOUT_FORM, csrf) ? finishLogout(ports, logout) : askPage(logout);
};
