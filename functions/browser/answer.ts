import { type AuthorizationAnswer, redirectUrl } from '../../shared/domain/authorization-answer.ts';
import { BROWSER_COOKIE } from '../../shared/domain/browser.ts';
import { BROWSER_COOKIE_SECONDS } from '../../shared/domain/limits.ts';
import { setCookie } from '../../shared/http/cookies.ts';
import { formPostPage } from '../../shared/templates/pages/form-post-page.ts';
import { formPostPageHeaders } from '../../shared/templates/pages/frame.ts';
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

/** Leads the browser back to the application, by redirect or by a page that posts itself. */
export function leadBack(
  answer: AuthorizationAnswer,
  context: Pick<BrowserContext, 'browser' | 'brand' | 'language'>,
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
