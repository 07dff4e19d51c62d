import { lambda } from '../../shared/aws/lambda.ts';
import { isOwnForm } from '../../shared/domain/basis/browser.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { keepLogout } from '../../shared/domain/hosted-login/kept-logout.ts';
import { errorPage } from '../../shared/flows/hosted-login/error-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { askPage, finishLogout, LOGOUT_FORM, readLogout } from './browser-logout.ts';
import { logoutByPost as operation } from './rows.ts';

/**
 * The logout by POST. An application's request is kept and led on by a GET, which brings the Lax cookies that a cross-site
 * POST does not; the person's answer to our question comes from our own page, with the proof of it, and ends the login.
 */
export const useCase: UseCase<typeof operation> = async (
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

export const handler = lambda(operation, useCase, errorPage());
