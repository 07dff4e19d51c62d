import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { isProvider } from '../../shared/domain/hosted-login/provider.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { startProviderLogin } from '../../shared/flows/browser/start-provider-login.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { showLoginError } from '../../shared/flows/hosted-login/login-error.ts';
import { initialState } from '../../shared/flows/hosted-login/login-state.ts';
import { redirectToPage, showState } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Where a provider's button of the login page leads: to the provider, or back to the page with what was wrong. */
export const startHostedSocialLogin: UseCase<typeof rows.startHostedSocialLogin> = async (input, ports) => {
  const { path, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { loginId, provider } = path;
  try {
    const context = await loginContext(ports, loginId, input);
    if (!isProvider(provider) || context.login.progress.userId !== undefined) return redirectToPage(context);
    audit({ channel: provider });
    try {
      const purpose = { login: 'hosted', loginId, direct: false } as const;
      return { redirect: await startProviderLogin(ports, context, provider, purpose), cookies: [] };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      audit({ ...error.detail.about, result: error.key });
      return showState(context, initialState(context), { error: { key: 'provider_failed' } });
    }
  } catch (error) {
    return showLoginError(error, { ...request, byLink: false }, audit);
  }
};
