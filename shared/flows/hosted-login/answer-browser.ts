import { BROWSER_COOKIE } from '../../domain/basis/browser.ts';
import { BROWSER_COOKIE_SECONDS } from '../../domain/basis/limits.ts';
import {
  type AnswerTarget,
  type AuthorizationAnswer,
  errorAnswer,
  redirectUrl,
} from '../../domain/oauth/authorization-answer.ts';
import type { AuthorizationParameters } from '../../domain/oauth/authorization-request.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { setCookie } from '../../http/cookies.ts';
import type { AuditContext } from '../../operation.ts';
import { consentlessErrorPage } from '../../templates/pages/consentless-error-page.ts';
import { formPostPage } from '../../templates/pages/form-post-page.ts';
import { formPostPageHeaders, textPageHeaders } from '../../templates/parts/frame.ts';
import type { BrowserContext } from './context.ts';

/** What a browser gets; `status` is 303 in the rows, so that no form is ever sent on to where it leads (RFC 9700 §4.12). */
export type BrowserAnswer =
  | { readonly redirect: string; readonly cookies: readonly string[] }
  | {
      readonly html: string;
      readonly status?: 200 | 400 | 404 | 429 | 503;
      readonly headers: Readonly<Record<string, string>>;
      readonly cookies: readonly string[];
    };

/** The cookie that a browser without one is given with any answer. */
export function browserCookies({ browser }: Pick<BrowserContext, 'browser'>): readonly string[] {
  return browser.isNew ? [setCookie(BROWSER_COOKIE, browser.secret, BROWSER_COOKIE_SECONDS)] : [];
}

type Answering = Pick<BrowserContext, 'browser' | 'brand' | 'language'>;

/** Leads the browser back to the application, by redirect or by a page that posts itself. */
export function leadBack(
  answer: AuthorizationAnswer,
  context: Answering,
  cookies: readonly string[] = [],
): BrowserAnswer {
  const all = [...browserCookies(context), ...cookies];
  const { target, parameters } = answer;
  if (target.responseMode === 'query') return { redirect: redirectUrl(answer), cookies: all };
  const { brand, language } = context;
  const { redirectUri } = target;
  return {
    html: formPostPage({ language, brand, redirectUri, parameters }),
    headers: formPostPageHeaders({ brand, redirectUri }),
    cookies: all,
  };
}

/** Where an answer to these parameters goes, be they good or not; the redirect URI is. */
export function targetOf(redirectUri: string, parameters: AuthorizationParameters): AnswerTarget {
  const { response_mode, state } = parameters;
  const responseMode = response_mode === 'form_post' ? 'form_post' : 'query';
  return { origin: 'oidc', redirectUri, responseMode, ...(state === undefined ? {} : { state }) };
}

/** Leads back with an error; what is no answer to the caller is thrown on. */
export function leadBackWith(
  error: unknown,
  target: AnswerTarget,
  context: Answering & Pick<BrowserContext, 'settings'>,
  audit: (note: AuditContext) => void,
): BrowserAnswer {
  const answer = errorAnswer(target, error, context.settings.issuer);
  if (error instanceof ServiceError) audit({ ...error.detail.about, result: error.key });
  return leadBack(answer, context);
}

/** Somebody who has gone back in the browser's history reads a page; nobody else asks for one. */
export function spentPage(
  error: unknown,
  { brand, language }: Pick<BrowserContext, 'brand' | 'language'>,
  { headers }: { readonly headers: Readonly<Record<string, string | undefined>> },
  audit: (note: AuditContext) => void,
): BrowserAnswer {
  const spent = error instanceof ServiceError && error.key === 'request_uri_spent';
  if (!spent || !headers.accept?.includes('text/html')) throw error;
  audit({ result: error.key });
  const html = consentlessErrorPage({ language, brand, key: 'request_spent' });
  return { html, status: 400, headers: textPageHeaders(brand), cookies: [] };
}
