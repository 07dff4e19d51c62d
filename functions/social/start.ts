import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { providerOfPath } from '../../shared/domain/hosted-login/provider.ts';
import { readRedirectUri, withoutEmpty } from '../../shared/domain/oauth/authorization-request.ts';
import { readRedirectLogin } from '../../shared/domain/oauth/redirect-login-request.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { browserCookies } from '../../shared/flows/browser/browser-answer.ts';
import { browserContext } from '../../shared/flows/browser/browser-context.ts';
import { startProviderLogin } from '../../shared/flows/browser/start-provider-login.ts';
import type { UseCase } from '../../shared/operation.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { refusal } from './refusal.ts';
import type * as rows from './rows.ts';

/** B. Leads the browser to a social provider. Once client and redirect URI are good, every error goes to the redirect URI. */
export const startSocialLogin: UseCase<typeof rows.startSocialLogin> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  // A HEAD would send nobody anywhere.
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const provider = providerOfPath(request.path);
  const context = await browserContext(ports, query.client_id, request, settings, undefined);
  const { tenantId, applicationId } = context.application;
  audit({ tenantId, applicationId, clientId: context.client.clientId, channel: provider });
  const redirectUri = readRedirectUri(context.application, query);
  try {
    const login = readRedirectLogin(query, context, USER_SCOPE);
    for (const resource of login.resources) await resolveAudience(ports, context, resource, settings);
    const redirect = await startProviderLogin(ports, context, provider, {
      login: 'redirect',
      request: login,
    });
    return { redirect, cookies: browserCookies(context) };
  } catch (error) {
    const { state } = query;
    const target = { origin: 'browser', redirectUri, responseMode: 'query' } as const;
    return refusal({ ...target, ...(state === undefined ? {} : { state }) }, error, context, audit);
  }
};
