import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { callbackPath, providerOfPath } from '../../shared/domain/hosted-login/provider.ts';
import { keepPostedAnswer, requireUpstream } from '../../shared/domain/hosted-login/upstream-login.ts';
import { browserContext } from '../../shared/flows/browser/browser-context.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { showLoginError } from '../../shared/flows/hosted-login/login-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { finishHosted } from './finish-hosted.ts';
import { finishRedirect } from './finish-redirect.ts';
import type { CallbackInput, CallbackPorts } from './identify.ts';
import type * as rows from './rows.ts';

/** Goes on with what the browser went to the provider for. */
async function arrive(ports: CallbackPorts, input: CallbackInput) {
  const { request, settings, audit } = input;
  const returned = await requireUpstream(ports, input.query?.state ?? '', readBrowser(request.cookies));
  const { provider, tenantId, applicationId, clientId } = returned.record;
  audit({ channel: provider, tenantId, applicationId, clientId });
  const arrival = { returned, arrivedAt: providerOfPath(request.path), input };
  const { purpose } = returned.request;
  if (purpose.login === 'hosted') {
    const context = await loginContext(ports, purpose.loginId, input);
    return finishHosted(ports, context, arrival, purpose.direct);
  }
  const context = await browserContext(ports, clientId, request, settings, undefined);
  return finishRedirect(ports, context, purpose.request, arrival);
}

/**
 * B. The answer of a social provider. What is posted comes without cookies, so it is kept and fetched by a GET of our own
 * (Apple). The GET must come from the browser that was sent there; in any other it leads nowhere.
 */
export const finishSocialLogin: UseCase<typeof rows.finishSocialLogin> = async (input, ports) => {
  const { form, request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  try {
    if (!form?.state) return await arrive(ports, input);
    const { state, ...answer } = form;
    await keepPostedAnswer(ports, state, answer);
    const path = callbackPath(providerOfPath(request.path));
    return { redirect: withParameters(`${settings.baseUrl}${path}`, { state }) };
  } catch (error) {
    return showLoginError(error, { ...request, byLink: false }, audit);
  }
};
