import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { authenticationContext } from '../../shared/domain/credentials/mfa.ts';
import { acceptsPasskeys } from '../../shared/domain/hosted-login/login-passkey.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import {
  type AuthorizationRequest,
  readRedirectUri,
  withoutEmpty,
} from '../../shared/domain/oauth/authorization-request.ts';
import { readRedirectLogin } from '../../shared/domain/oauth/redirect-login-request.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type BrowserContext, browserContext } from '../../shared/flows/browser/browser-context.ts';
import {
  type BrowserResponse,
  browserCookies,
  returnErrorToClient,
} from '../../shared/flows/browser/browser-response.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';
import type * as rows from './rows.ts';

type Ports = OperationPorts<typeof rows.passkeyLogin>;
type Input = OperationRequest<typeof rows.passkeyLogin>;

/**
 * Returns the browser's session if a login with `require_mfa` can add the passkey to that session as a second factor. Returns
 * undefined if a passkey is already a factor of the session. The login then asks for the passkey again and for another factor
 * type.
 */
async function sessionToJoin(
  ports: Ports,
  context: BrowserContext,
  { requireMfa }: AuthorizationRequest,
): Promise<Session | undefined> {
  const { session, user } = requireMfa ? await findSignedInUser(ports, context) : {};
  const byPasskey = session?.methods.some(({ method }) => method === 'webauthn');
  const addsTo = session && user && !byPasskey && authenticationContext(session.methods).acr !== 'mfa';
  return addsTo ? session : undefined;
}

/** Validates the request, stores a new login that begins with passkeys, and redirects to its page. */
async function begin(ports: Ports, context: BrowserContext, input: Input): Promise<BrowserResponse> {
  const { application, settings } = context;
  const read = readRedirectLogin(input.query, context, USER_SCOPE);
  if (!acceptsPasskeys(application, settings))
    throw new ServiceError('access_denied', {
      message: 'The application has not configured this login method',
    });
  for (const resource of read.resources) await resolveAudience(ports, context, resource, settings);
  const request: AuthorizationRequest = { ...read, passkeyFirst: true };
  const joins = await sessionToJoin(ports, context, request);
  const { loginId, transaction } = newLogin(context, request, joins);
  await ports.loginTransactions.put(transaction);
  return { redirect: `${settings.browserOrigin}${loginPath(loginId)}`, cookies: browserCookies(context) };
}

/** Starts a hosted login that begins with passkeys, and redirects to its page (SPEC section B). */
export const passkeyLogin: UseCase<typeof rows.passkeyLogin> = async (input, ports) => {
  const { request, settings, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const query = withoutEmpty(input.query);
  const context = await browserContext(ports, query, request, settings);
  const { tenantId, applicationId } = context.application;
  audit({ tenantId, applicationId, clientId: context.client.clientId });
  const redirectUri = readRedirectUri(context.application, query);
  try {
    return await begin(ports, context, { ...input, query });
  } catch (error) {
    const { state } = query;
    const target = { origin: 'browser', redirectUri, responseMode: 'query' } as const;
    return returnErrorToClient(error, state === undefined ? target : { ...target, state }, context, audit);
  }
};
