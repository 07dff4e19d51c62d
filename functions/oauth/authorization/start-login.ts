import { awaitAll } from '../../../shared/domain/basis/await-all.ts';
import { configuredProviders } from '../../../shared/domain/credentials/login-preferences.ts';
import { beginLogin, newLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import type { MissingStep } from '../../../shared/domain/hosted-login/sign-on.ts';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { isProvider } from '../../../shared/domain/social/provider.ts';
import type { BrowserContext } from '../../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../../shared/flows/browser/browser-response.ts';
import type { SignedIn } from '../../../shared/flows/browser/signed-in-user.ts';
import {
  readProviderWishes,
  startProviderLogin,
} from '../../../shared/flows/browser/start-provider-login.ts';
import { loginPath } from '../../../shared/flows/hosted-login/show-page.ts';
import type { OperationPorts } from '../../../shared/operation.ts';
import type { ProviderName } from '../../../shared/ports/providers.ts';
import type { authorize } from '../rows.ts';
import type { BrowserAuthorization } from './answer-by-session.ts';

/**
 * Returns the provider to which a login redirects directly: the first provider in `acr_values` that the application offers, in
 * the order of preference (OIDC Core §3.1.2.1). Returns undefined if the value for the login page comes first, or if no
 * provider is usable.
 */
function providerFor(
  { application }: BrowserContext,
  { ways = [] }: AuthorizationRequest,
): ProviderName | undefined {
  const offered = configuredProviders(application);
  const [chosen] = ways.filter((way) => way === 'centralized' || (isProvider(way) && offered.includes(way)));
  return isProvider(chosen) ? chosen : undefined;
}

type AuthorizePorts = OperationPorts<typeof authorize>;

/**
 * Starts a login at the requested provider or on the login page. If only a second factor or consent is missing, the login
 * extends the browser's session. In other cases, the login starts from the first factor. Otherwise a stolen cookie would be
 * enough to add a phone number, which would later count as a factor.
 */
export async function startLogin(
  ports: AuthorizePorts,
  context: BrowserContext,
  { request, pushedLoginId }: BrowserAuthorization,
  { missing, session, user }: SignedIn & { readonly missing: MissingStep | 'consent' | undefined },
): Promise<BrowserResponse> {
  const isEnough = missing === 'second-factor' || missing === 'consent';
  const stepUp = isEnough && user ? session : undefined;
  const { loginId, transaction } = newLogin(context, request, stepUp, pushedLoginId);
  const provider = providerFor(context, request);
  if (provider && !stepUp) {
    const purpose = { login: 'hosted', loginId, direct: true } as const;
    const [redirect] = await awaitAll(
      startProviderLogin(ports, context, { provider, purpose, wishes: readProviderWishes(request) }),
      beginLogin(ports, transaction),
    );
    return { redirect, cookies: browserCookies(context) };
  }
  await beginLogin(ports, transaction);
  const redirect = `${context.settings.browserOrigin}${loginPath(loginId)}`;
  return { redirect, cookies: browserCookies(context) };
}
