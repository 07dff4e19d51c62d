import {
  BROWSER_COOKIE,
  buildLoginCookieName,
  buildLoginCookieValue,
  LANGUAGE_COOKIE,
} from '../../domain/basis/browser.ts';
import { BROWSER_COOKIE_SECONDS, LOGIN_TRANSACTION_SECONDS } from '../../domain/basis/limits.ts';
import { passkeyCookieName, withOfferAnswer } from '../../domain/hosted-login/passkey-offer.ts';
import {
  type AuthorizationResponse,
  buildErrorResponse,
  buildRedirectUrl,
  type ResponseTarget,
} from '../../domain/oauth/authorization-answer.ts';
import type { AuthorizationParameters } from '../../domain/oauth/authorization-request.ts';
import type { BrowserSession } from '../../domain/sessions/browser-session.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { setCookie } from '../../http/cookies.ts';
import type { AuditContext, ResponseExtras } from '../../operation.ts';
import type { Tenant } from '../../ports/directory.ts';
import { formPostPage } from '../../templates/pages/form-post-page.ts';
import { formPostPageHeaders } from '../../templates/parts/frame.ts';
import type { BrowserContext } from './browser-context.ts';

/** Response to a browser. Redirects are sent as 303, so that no browser posts a form to the target again (RFC 9700 §4.12). */
export type BrowserResponse =
  | (ResponseExtras & { readonly redirect: string; readonly cookies: readonly string[] })
  | {
      readonly html: string;
      readonly status?: 200 | 400;
      readonly headers: Readonly<Record<string, string>>;
      readonly cookies: readonly string[];
    };

/** Returns the `Set-Cookie` values that identify a browser. Returns an empty list if the browser already has this cookie. */
export function browserCookies({ browser }: Pick<BrowserContext, 'browser'>): readonly string[] {
  return browser.isNew ? [setCookie(BROWSER_COOKIE, browser.secret, BROWSER_COOKIE_SECONDS)] : [];
}

/**
 * Stores the chosen language in a cookie and redirects to a URL without the language parameter. The cookie expires after the
 * maximum duration of a login. Later requests choose the language again.
 */
export const rememberLanguage = (address: string, language: string): BrowserResponse => ({
  redirect: address,
  cookies: [setCookie(LANGUAGE_COOKIE, language, LOGIN_TRANSACTION_SECONDS)],
});

/** Returns the login cookie of a browser session. Its lifetime is that of a session that is not used. */
export function loginCookie({ tenantId }: Tenant, { session, secret }: BrowserSession): string {
  const value = buildLoginCookieValue(session.sessionId, secret);
  return setCookie(buildLoginCookieName(tenantId), value, session.idleSeconds);
}

/** Returns a cookie that stores whether the user has a passkey in this browser or has declined to create one. */
export function passkeyCookie(
  { tenant, passkeyAnswers, now }: Pick<BrowserContext, 'tenant' | 'passkeyAnswers' | 'now'>,
  answer: { readonly userId: string; readonly has: boolean },
): string {
  const { value, maxAgeSeconds } = withOfferAnswer(passkeyAnswers, answer, now);
  return setCookie(passkeyCookieName(tenant.tenantId), value, maxAgeSeconds);
}

type AnswerContext = Pick<BrowserContext, 'browser' | 'brand' | 'language'>;

/** Returns the authorization response: a redirect to the client, or a page that posts it to the client (`form_post`). */
export function returnToClient(
  answer: AuthorizationResponse,
  context: AnswerContext,
  { cookies = [], headers = {} }: ResponseExtras = {},
): BrowserResponse {
  const all = [...browserCookies(context), ...cookies];
  const { target, parameters } = answer;
  if (target.responseMode === 'query') return { redirect: buildRedirectUrl(answer), headers, cookies: all };
  const { brand, language } = context;
  const { redirectUri } = target;
  return {
    html: formPostPage({ language, brand, redirectUri, parameters }),
    headers: { ...formPostPageHeaders(brand), ...headers },
    cookies: all,
  };
}

/** Returns the target of an authorization response. The redirect URI must be validated; other parameters may be invalid. */
export function readResponseTarget(redirectUri: string, parameters: AuthorizationParameters): ResponseTarget {
  const { response_mode, state } = parameters;
  const responseMode = response_mode === 'form_post' ? 'form_post' : 'query';
  return { origin: 'oidc', redirectUri, responseMode, ...(state === undefined ? {} : { state }) };
}

/** Returns an authorization error response for the client. Rethrows errors that the client must not receive. */
export function returnErrorToClient(
  error: unknown,
  target: ResponseTarget,
  context: AnswerContext & Pick<BrowserContext, 'settings'>,
  audit: (context: AuditContext) => void,
): BrowserResponse {
  const answer = buildErrorResponse(target, error, context.settings.issuer);
  if (error instanceof ServiceError) audit({ ...error.detail.audit, result: error.key });
  return returnToClient(answer, context);
}
