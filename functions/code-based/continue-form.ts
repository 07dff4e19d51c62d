import {
  type Browser,
  computeCsrfToken,
  hasValidCsrfToken,
  readBrowser,
} from '../../shared/domain/basis/browser.ts';
import { isMailedLink, mailedLinkPath } from '../../shared/domain/credentials/mailed-link.ts';
import { resumePath } from '../../shared/domain/sending/code-based-login.ts';
import { readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import { browserCookies } from '../../shared/flows/browser/browser-response.ts';
import type { ReplacedLogin } from '../../shared/flows/redirect-login/replaced-login.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { Language } from '../../shared/templates/language.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { formPageHeaders } from '../../shared/templates/parts/frame.ts';

/**
 * Returns the context that the CSRF token of the Continue page is bound to: the code and the user whose login is replaced. The
 * token is then not valid for another code or another replaced login.
 */
function toCsrfContext({ hash }: AuthorizationCode, replacedUserId: string | undefined): string {
  return replacedUserId === undefined ? hash : `${hash}\n${replacedUserId}`;
}

/**
 * Returns true if a form comes from the Continue page that this browser received for this code and for the login that the code
 * would replace.
 */
export function isContinueForm(
  browser: Browser,
  record: AuthorizationCode,
  replacedUserId: string | undefined,
  csrf: string | undefined,
): boolean {
  return hasValidCsrfToken(browser, toCsrfContext(record, replacedUserId), csrf);
}

/**
 * Renders the Continue page, which asks for confirmation before a code changes the browser's login. A code from an emailed link
 * can become one of two factors. A code can also replace the login of another user, whose name the page shows. Only this
 * browser can submit the page.
 */
export function continueForm(input: {
  readonly code: string;
  readonly record: AuthorizationCode;
  readonly application: Application;
  readonly language: Language;
  readonly cookies: Readonly<Record<string, string>>;
  readonly replaces: ReplacedLogin | undefined;
}) {
  const { code, record, application, language, replaces } = input;
  const browser = readBrowser(input.cookies);
  const brand = readPageBrand(application);
  const csrf = computeCsrfToken(browser, toCsrfContext(record, replaces?.userId));
  const action = isMailedLink(record) ? mailedLinkPath(code) : resumePath(code);
  return {
    html: continueFormPage({ language, brand, action, csrf, replaces }),
    headers: formPageHeaders(brand),
    cookies: browserCookies({ browser }),
  };
}
