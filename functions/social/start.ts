import { resolveAudience } from '../../shared/domain/audience.ts';
import { readRedirectUri, withoutEmpty } from '../../shared/domain/authorization-request.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { providerOfPath } from '../../shared/domain/provider.ts';
import { readRedirectLogin } from '../../shared/domain/redirect-login-request.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import { browserCookies } from '../browser/answer.ts';
import { browserContext } from '../browser/context.ts';
import { errorPage } from '../browser/error-page.ts';
import { startSocialLogin as operation } from '../rows/social.ts';
import { refusal } from './refusal.ts';
import { toProvider } from './to-provider.ts';

/** B. Leads the browser to a social provider. Once client and redirect URI are good, every error goes to the redirect URI. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
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
    const redirect = await toProvider(ports, context, provider, { login: 'redirect', request: login });
    return { redirect, cookies: browserCookies(context) };
  } catch (error) {
    const { state } = query;
    const target = { origin: 'browser', redirectUri, responseMode: 'query' } as const;
    return refusal({ ...target, ...(state === undefined ? {} : { state }) }, error, context, audit);
  }
};

export const handler = lambda(operation, useCase, errorPage());
