import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import type { ErrorPage } from '../../http/serve.ts';
import type { Operation } from '../../operation.ts';
import { readLanguage } from '../../templates/language.ts';
import { type DeadEnd, type DeadEndKey, deadEndPage } from '../../templates/pages/dead-end-page.ts';
import { textPageHeaders } from '../../templates/parts/frame.ts';
import { chooseLanguage, readPageBrand } from './browser-context.ts';

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

/** Default error text for each type of error page. It is shown for errors that have no text of their own. */
const DEFAULT_DEAD_ENDS: Readonly<Record<Kind, DeadEndKey>> = {
  request: 'requestWrong',
  login: 'loginExpired',
  link: 'linkUnknown',
};

/** Returns the key of the default error text for a type of error page. */
export const findDefaultDeadEnd = (kind: Kind): DeadEndKey => DEFAULT_DEAD_ENDS[kind];

export const findDeadEnd = (kind: Kind, key: ErrorKey): DeadEndKey =>
  DEAD_ENDS[key] ?? DEFAULT_DEAD_ENDS[kind];

/**
 * Keys of the error texts for mistakes in an application's request. Their pages show the mistake, so that the application's
 * developers can correct it.
 */
export const APPLICATION_MISTAKES: ReadonlySet<DeadEndKey> = new Set<DeadEndKey>([
  'requestWrong',
  'redirectNotAllowed',
  'hintBroken',
]);

/**
 * Returns true if the `Accept` header prefers HTML to JSON (RFC 9110 §12.5.1), as the headers of browsers do. A client that
 * accepts anything is probably a script or library, so it gets JSON.
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

/**
 * Returns the URL for the language links of an error page. Returns undefined after a form, which a link cannot repeat, and for
 * a URL with other parameters, because the link would repeat text that an attacker may have chosen.
 */
function languagesAt(method: string, query: URLSearchParams): string | undefined {
  const isPlain = [...query.keys()].every((name) => name === 'language');
  return method === 'GET' && isPlain ? '' : undefined;
}

/**
 * Creates the error page of an operation that browsers request.
 * @param ends Texts for the errors that this operation can return
 */
export function errorPage(kind: Kind, ends: Partial<Readonly<Record<DeadEndKey, DeadEnd>>>): ErrorPage {
  return ({ key, detail }, { request, query }) => {
    const { headers, requestId, errorPage: known } = request;
    if (!prefersPage(headers.accept ?? '')) return undefined;
    // If the operation does not declare the error, the default page is shown.
    const named = findDeadEnd(kind, key);
    const reason = ends[named] ? named : DEFAULT_DEAD_ENDS[kind];
    const end = ends[reason];
    if (!end) return undefined;
    const { application } = known;
    const brand = application && readPageBrand(application);
    const chosen = readLanguage(query.get('language') ?? '');
    const html = deadEndPage({
      language: chosen ?? chooseLanguage(request, known.uiLocales ?? query.get('ui_locales') ?? undefined),
      reason,
      end,
      requestId,
      brand: { name: '', ...brand, languagePickerHref: languagesAt(request.method, query) },
      retryAfterSeconds: reason === 'rateLimited' ? detail.retryAfterSeconds : undefined,
      detail: APPLICATION_MISTAKES.has(reason) ? (detail.message ?? catalogue[key].message) : undefined,
    });
    return { html, headers: textPageHeaders(brand) };
  };
}
