import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { addParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { rememberLanguage } from '../../shared/flows/browser/browser-response.ts';
import { replaceForeignRedirect } from '../../shared/flows/browser/foreign-redirect.ts';
import type { UseCase } from '../../shared/operation.ts';
import {
  askForLogout,
  findBrowserLogout,
  finishLogout,
  isLogoutForm,
  logoutAddress,
} from './browser-logout.ts';
import { keepLogout, readLogoutByGet, readLogoutRequest } from './logout-request.ts';
import type * as rows from './rows.ts';

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0). If the request contains the session's ID token, the session ends
 * immediately. Any other request may come from an image on an attacker's page, so the user must confirm it.
 */
export const logoutPage: UseCase<typeof rows.logoutPage> = async (
  { query, request, settings, audit },
  ports,
) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  if (query.language !== undefined) {
    const { origin } = new URL(settings.issuer);
    return rememberLanguage(logoutAddress(origin, query), query.language);
  }
  const asked = await readLogoutByGet(ports, query, request, settings);
  const logout = await findBrowserLogout(ports, asked, request);
  for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
  return logout.isConfirmed ? finishLogout(ports, logout, request.now) : askForLogout(logout);
};

/**
 * Handles a logout by POST. A client's request is stored and continued by GET, because a cross-site POST carries no cookies
 * with `SameSite=Lax`. The form of `askForLogout` carries the CSRF token of its page and ends the sessions.
 */
export const logoutByPost: UseCase<typeof rows.logoutByPost> = async (
  { query, form, request, settings, audit },
  ports,
) => {
  const { csrf, ...parameters } = form;
  if (csrf === undefined) {
    const kept = { logout_request: await keepLogout(ports, parameters, request.now) };
    return { redirect: addParameters(`${settings.issuer}/session/end`, kept) };
  }
  // The page of this service sends neither parameter, so here they would come from an attacker.
  const { id_token_hint: _, logout_request: __, ...confirmed } = query;
  const logout = await findBrowserLogout(ports, await readLogoutRequest(ports, confirmed, request), request);
  for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
  if (!isLogoutForm(logout, csrf)) return askForLogout(logout);
  return replaceForeignRedirect(await finishLogout(ports, logout, request.now), settings, logout);
};
