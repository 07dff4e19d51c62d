import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import { findLoginMaxAge } from '../../shared/domain/hosted-login/sign-on.ts';
import { readRedirectUri, withoutEmpty } from '../../shared/domain/oauth/authorization-request.ts';
import { readRedirectLogin } from '../../shared/domain/oauth/redirect-login-request.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { readProviderFromPath } from '../../shared/domain/social/provider.ts';
import type { UpstreamPurpose } from '../../shared/domain/social/upstream-login.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { browserContext } from '../../shared/flows/browser/browser-context.ts';
import { browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { readProviderWishes, startProviderLogin } from '../../shared/flows/browser/start-provider-login.ts';
import { canContinueAt } from '../../shared/flows/hosted-login/accepted-proofs.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import { redirectToPage, showState } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { toProviderName } from '../../shared/records/providers.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { returnProviderError } from './redirect-error.ts';
import type * as rows from './rows.ts';

/**
 * Redirects the browser to a social provider (SPEC B). Once client and redirect URI are valid, errors go to the redirect URI.
 */
export const startSocialLogin: UseCase<typeof rows.startSocialLogin> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const provider = readProviderFromPath(request.path);
  const context = await browserContext(ports, { client_id: query.client_id }, request, settings);
  const { tenantId, applicationId } = context.application;
  audit({ tenantId, applicationId, clientId: context.client.clientId, channel: provider });
  const redirectUri = readRedirectUri(context.application, query);
  try {
    const login = readRedirectLogin(query, context, USER_SCOPE);
    for (const resource of login.resources) await resolveAudience(ports, context, resource, settings);
    const started =
      findLoginMaxAge(login, context.application, false) === undefined ? undefined : newLogin(context, login);
    const purpose: UpstreamPurpose = started
      ? { login: 'hosted', loginId: started.loginId, direct: true }
      : { login: 'redirect', request: login };
    const [redirect] = await awaitAll(
      startProviderLogin(ports, context, { provider, purpose, wishes: readProviderWishes(login) }),
      // A hosted login, because its page can ask for another factor if the provider does not prove a fresh login. Its ID is
      // random, so no earlier login has it.
      started ? ports.loginTransactions.put(started.transaction) : Promise.resolve(),
    );
    return { redirect, cookies: browserCookies(context) };
  } catch (error) {
    const { state } = query;
    const target = { origin: 'browser', redirectUri, responseMode: 'query' } as const;
    return returnProviderError(
      { ...target, ...(state === undefined ? {} : { state }) },
      error,
      context,
      audit,
    );
  }
};

/** Handles a provider's button on the login page: redirects to the provider or, if that fails, shows the page with an error. */
export const startHostedSocialLogin: UseCase<typeof rows.startHostedSocialLogin> = async (input, ports) => {
  const { path, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { loginId } = path;
  const provider = toProviderName(path.provider);
  const context = await loginContext(ports, loginId, input);
  if (!provider) return redirectToPage(context);
  const { state } = await deriveCurrentState(ports, context);
  if (state.kind !== 'identify' && !canContinueAt(state, provider)) return redirectToPage(context);
  audit({ channel: provider });
  try {
    const purpose = { login: 'hosted', loginId, direct: false } as const;
    const { request: asked, progress } = context.login;
    const confirms =
      state.kind !== 'connect' &&
      asked.account !== undefined &&
      findLoginMaxAge(asked, context.application, progress.held !== undefined) !== undefined;
    const wishes = readProviderWishes(asked, confirms);
    const redirect = await startProviderLogin(ports, context, { provider, purpose, wishes });
    return { redirect, cookies: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    audit({ ...error.detail.audit, result: error.key });
    return showState(context, state, { error: { key: 'provider_failed' } });
  }
};
