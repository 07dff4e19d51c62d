import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import type { ErrorPage } from '../../http/serve.ts';
import type { Operation } from '../../operation.ts';
import { readLanguage } from '../../templates/language.ts';
import { deadEndPage } from '../../templates/pages/dead-end-page.ts';
import { textPageHeaders } from '../../templates/parts/frame.ts';
import type { DeadEnd, DeadEndKey } from '../../templates/texts/dead-ends.ts';
import { brandOf, languageOf } from './browser-context.ts';

const DEAD_ENDS: Partial<Readonly<Record<ErrorKey, DeadEndKey>>> = {
  redirect_uri_not_allowed: 'redirect_not_allowed',
  logout_hint_invalid: 'hint_broken',
  request_uri_spent: 'login_expired',
  login_not_found: 'login_expired',
  login_elsewhere: 'wrong_browser',
  login_code_elsewhere: 'code_elsewhere',
  cookies_missing: 'cookies_needed',
  resume_over: 'login_expired',
  resume_elsewhere: 'cookies_needed',
  link_not_found: 'link_unknown',
  not_found: 'not_found',
  method_not_allowed: 'not_found',
  rate_limited: 'rate_limited',
  service_unavailable: 'server_error',
  internal_error: 'server_error',
};

type Kind = NonNullable<Operation['errorPage']>;

/** What is said of a request that is wrong in any other way. */
const BROKEN: Readonly<Record<Kind, DeadEndKey>> = {
  request: 'request_wrong',
  login: 'login_expired',
  link: 'link_unknown',
};

/** The end for every error of this kind of page that has none of its own. */
export const brokenOf = (kind: Kind): DeadEndKey => BROKEN[kind];

export const deadEndOf = (kind: Kind, key: ErrorKey): DeadEndKey => DEAD_ENDS[key] ?? BROKEN[kind];

/** Mistakes of the application: the page tells its makers which one. */
const OF_APPLICATIONS: ReadonlySet<DeadEndKey> = new Set<DeadEndKey>([
  'request_wrong',
  'redirect_not_allowed',
  'hint_broken',
]);

/** A client that takes anything is a script or a library: it gets JSON. */
const ACCEPTS_HTML = /\btext\/html\b/;

/** The page again, in another language. Not after a form, nor with parameters: an attacker's must not come back on a page. */
function languagesAt(method: string, query: URLSearchParams): string | undefined {
  const isPlain = [...query.keys()].every((name) => name === 'language');
  return method === 'GET' && isPlain ? '' : undefined;
}

/** The rule for all operations that browsers open. `ends` are those of the operation's errors. */
export function errorPage(kind: Kind, ends: readonly DeadEnd[]): ErrorPage {
  return ({ key, detail }, { request, query }) => {
    const { headers, requestId, errorPage: known } = request;
    if (!ACCEPTS_HTML.test(headers.accept ?? '')) return undefined;
    // An error that the operation does not name has a page too.
    const end = [deadEndOf(kind, key), BROKEN[kind]]
      .map((wanted) => ends.find((each) => each.key === wanted))
      .find((found) => found !== undefined);
    if (!end) return undefined;
    const { application } = known;
    const brand = application && brandOf(application);
    const chosen = readLanguage(query.get('language') ?? '');
    const html = deadEndPage({
      language: chosen ?? languageOf(request, known.uiLocales ?? query.get('ui_locales') ?? undefined),
      end,
      requestId,
      brand: { name: '', ...brand, languagesAt: languagesAt(request.method, query) },
      homeUri: brand?.links?.home,
      retryAfterSeconds: end.key === 'rate_limited' ? detail.retryAfterSeconds : undefined,
      detail: OF_APPLICATIONS.has(end.key) ? (detail.message ?? catalogue[key].message) : undefined,
    });
    return { html, headers: textPageHeaders(brand) };
  };
}
