import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { logoutPage as operation } from '../rows/sessions.ts';
import { askPage, finishLogout, readLogout } from './browser-logout.ts';

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0). Who brings the ID token of the very login is taken at their
 * word; everybody else could be a picture on a stranger's page, so the person is asked.
 */
export const useCase: UseCase<typeof operation> = async ({ query, request, settings, audit }, ports) => {
  if (/\bprefetch\b/.test(request.headers['sec-purpose'] ?? '')) return { none: true };
  const logout = await readLogout(ports, query, request, settings);
  if (request.method === 'HEAD') return { none: true, status: 200 };
  for (const { userId, sessionId, tenantId } of logout.sessions) audit({ userId, sessionId, tenantId });
  return logout.isMeant ? finishLogout(ports, logout) : askPage(logout);
};

export const handler = lambda(operation, useCase);
