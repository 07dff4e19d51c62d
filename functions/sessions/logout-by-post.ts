import { isOwnForm } from '../../shared/domain/browser.ts';
import { ADDRESS_BYTES_MAX } from '../../shared/domain/limits.ts';
import { withParameters } from '../../shared/domain/redirect-uri.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { logoutByPost as operation } from '../rows/sessions.ts';
import { askPage, finishLogout, LOGOUT_FORM, readLogout } from './browser-logout.ts';

/** Errors: `system_invalid_input` for what fits into no address. */
function byGet(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const target = withParameters(address, parameters);
  if (target.length > ADDRESS_BYTES_MAX)
    throw new ServiceError('system_invalid_input', { message: 'body: is too long to be led on' });
  return target;
}

/**
 * The logout by POST. An application's request is led on by a GET, which brings the Lax cookies that a cross-site POST does
 * not; the person's answer to our question comes from our own page, with the proof of it, and ends the login.
 */
export const useCase: UseCase<typeof operation> = async (
  { query, form, request, settings, audit },
  ports,
) => {
  const { csrf, ...parameters } = form;
  if (csrf === undefined) return { redirect: byGet(`${settings.issuer}/session/end`, parameters) };
  const logout = await readLogout(ports, query, request, settings);
  for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
  return isOwnForm(logout.browser, LOGOUT_FORM, csrf) ? finishLogout(ports, logout) : askPage(logout);
};

export const handler = lambda(operation, useCase);
