import { isPrefetch, readBrowser } from '../../shared/domain/basis/browser.ts';
import { openPrepared } from '../../shared/domain/hosted-login/login-transaction.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { browserContext } from '../../shared/flows/browser/browser-context.ts';
import { browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Starts the hosted registration of a passkey in the first browser that presents the client's token. */
export const passkeyRegistrationPage: UseCase<typeof rows.passkeyRegistrationPage> = async (
  { query, request, settings, audit },
  ports,
) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { register_webauthn_cred_token: token = '', ui_locales: uiLocales } = query;
  const browser = readBrowser(request.cookies);
  const opened = await openPrepared(ports, token, { browser, uiLocales, now: request.now });
  if (!opened) throw new ServiceError('link_not_found');
  const { clientId, userId } = opened;
  const found = await browserContext(ports, { ...query, client_id: clientId }, request, settings);
  const { tenantId, applicationId } = found.application;
  audit({ tenantId, applicationId, clientId, userId });
  // A new browser gets the cookie to which the token is now bound.
  const cookies = browserCookies({ ...found, browser });
  return { redirect: `${settings.browserOrigin}${loginPath(token)}`, cookies };
};
