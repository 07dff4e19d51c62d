import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import type { ErrorPage } from '../../http/serve.ts';
import type { Operation } from '../../operation.ts';
import { readLanguage } from '../../templates/language.ts';
import { type DeadEnd, type DeadEndKey, deadEndPage } from '../../templates/pages/dead-end-page.ts';
import { textPageHeaders } from '../../templates/parts/frame.ts';
import { brandOf, languageOf } from './browser-context.ts';

const DEAD_ENDS: Partial<Readonly<Record<ErrorKey, DeadEndKey>>> = {
  redirect_uri_not_allowed: 'redirectNotAllowed',
  logout_hint_invalid: 'hintBroken',
  request_uri_spent: 'loginExpired',
  login_not_found: 'loginExpired',
  login_done: 'loginDone',
  login_elsewhere: 'wrongBrowser',
  login_code_elsewhere: 'codeElsewhere',
  cookies_missing: 'cookiesNeeded',
  resume_over: 'loginExpired',
  resume_elsewhere: 'cookiesNeeded',
  link_not_found: 'linkUnknown',
  not_found: 'notFound',
  method_not_allowed: 'notFound',
  rate_limited: 'rateLimited',
  service_unavailable: 'serverError',
  internal_error: 'serverError',
};

type Kind = NonNullable<Operation['errorPage']>;

/** What is said of a request that is wrong in any other way. */
const BROKEN: Readonly<Record<Kind, DeadEndKey>> = {
  request: 'requestWrong',
  login: 'loginExpired',
  link: 'linkUnknown',
};

/** The end for every error of this kind of page that has none of its own. */
export const brokenOf = (kind: Kind): DeadEndKey => BROKEN[kind];

export const deadEndOf = (kind: Kind, key: ErrorKey): DeadEndKey => DEAD_ENDS[key] ?? BROKEN[kind];

/** Mistakes of the application: the page tells its makers which one. */
const OF_APPLICATIONS: ReadonlySet<DeadEndKey> = new Set<DeadEndKey>([
  'requestWrong',
  'redirectNotAllowed',
  'hintBroken',
]);

/**
 * Whether `Accept` prefers a page to JSON (RFC 9110 §12.5.1), as that of browsers does. A client that takes anything is a
 * script or a library, and gets JSON as specified.
 */
function prefersPage(accept: string): boolean {
  const ranges = accept.toLowerCase().split(',');
  const weights = new Map(
    ranges.map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      return [type, Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)];
    }),
  );
  const page = weights.get('text/html') ?? 0;
  const json = weights.get('application/json');
  return page > 0 && (json === undefined ? page >= (weights.get('*/*') ?? 0) : page > json);
}

/** The page again, in another language. Not after a form, nor with parameters: an attacker's must not come back on a page. */
function languagesAt(method: string, query: URLSearchParams): string | undefined {
  const isPlain = [...query.keys()].every((name) => name === 'language');
  return method === 'GET' && isPlain ? '' : undefined;
}

/** The rule for all operations that browsers open. `ends` are those of the operation's errors. */
export function errorPage(kind: Kind, ends: Partial<Readonly<Record<DeadEndKey, DeadEnd>>>): ErrorPage {
  return ({ key, detail }, { request, query }) => {
    const { headers, requestId, errorPage: known } = request;
    if (!prefersPage(headers.accept ?? '')) return undefined;
    // An error that the operation does not name has a page too.
    const named = deadEndOf(kind, key);
    const reason = ends[named] ? named : BROKEN[kind];
    const end = ends[reason];
    if (!end) return undefined;
    const { application } = known;
    const brand = application && brandOf(application);
    const chosen = readLanguage(query.get('language') ?? '');
    const html = deadEndPage({
      language: chosen ?? languageOf(request, known.uiLocales ?? query.get('ui_locales') ?? undefined),
      reason,
      end,
      requestId,
      brand: { name: '', ...brand, languagesAt: languagesAt(request.method, query) },
      homeUri: brand?.links?.home,
      retryAfterSeconds: reason === 'rateLimited' ? detail.retryAfterSeconds : undefined,
      detail: OF_APPLICATIONS.has(reason) ? (detail.message ?? catalogue[key].message) : undefined,
    });
    return { html, headers: textPageHeaders(brand) };
  };
}
