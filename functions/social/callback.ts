import { isPrefetch, readBrowser } from '../../shared/domain/basis/browser.ts';
import { addParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { restoreOnFailure } from '../../shared/domain/credentials/authentication-proof.ts';
import { callbackPath, readProviderFromPath } from '../../shared/domain/social/provider.ts';
import {
  createUpstreamConsumption,
  requireUpstream,
  storePostedAnswer,
} from '../../shared/domain/social/upstream-login.ts';
import { browserContext } from '../../shared/flows/browser/browser-context.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { CallbackInput, CallbackPorts } from './authenticate.ts';
import { finishHostedLogin } from './finish-hosted-login.ts';
import { finishRedirectLogin } from './finish-redirect-login.ts';
import type * as rows from './rows.ts';

/** Continues the login that sent the browser to the provider. */
async function resumeLogin(ports: CallbackPorts, input: CallbackInput) {
  const { request, settings, audit } = input;
  const upstream = await requireUpstream(ports, input.query?.state ?? '', readBrowser(request.cookies));
  const { provider, tenantId, applicationId, clientId } = upstream.record;
  audit({ channel: provider, tenantId, applicationId, clientId });
  const consumption = createUpstreamConsumption(ports, upstream);
  const callback = { upstream, provider: readProviderFromPath(request.path), input, consumption };
  const { purpose } = upstream.request;
  if (purpose.login === 'hosted') {
    const context = await loginContext(ports, purpose.loginId, input);
    return restoreOnFailure(consumption, () => finishHostedLogin(ports, context, callback, purpose.direct));
  }
  const context = await browserContext(ports, { client_id: clientId }, request, settings);
  return restoreOnFailure(consumption, () => finishRedirectLogin(ports, context, purpose.request, callback));
}

/**
 * Handles the callback of a social provider (SPEC B). A response by POST (Apple) carries no cookies, so it is stored and
 * fetched by GET. The GET must come from the browser that began the login; any other browser gets an error page.
 */
export const finishSocialLogin: UseCase<typeof rows.finishSocialLogin> = async (input, ports) => {
  const { form, request, settings } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  if (!form?.state) return resumeLogin(ports, input);
  const { state, ...answer } = form;
  await storePostedAnswer(ports, state, answer, request.now);
  const path = callbackPath(readProviderFromPath(request.path));
  return { redirect: addParameters(`${settings.baseUrl}${path}`, { state }) };
};
