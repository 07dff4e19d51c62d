import { type Browser, csrfToken, isOwnForm, readBrowser } from '../../shared/domain/basis/browser.ts';
import { isMailedLink, mailedLinkPath } from '../../shared/domain/credentials/mailed-link.ts';
import { resumePath } from '../../shared/domain/sending/code-based-login.ts';
import { browserCookies } from '../../shared/flows/browser/browser-answer.ts';
import { brandOf } from '../../shared/flows/browser/browser-context.ts';
import type { OtherUser } from '../../shared/flows/redirect-login/other-user.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { Language } from '../../shared/templates/language.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { formPageHeaders } from '../../shared/templates/parts/frame.ts';

/** What the form's proof is bound to: who agrees to one thing has not agreed to another. */
function subjectOf({ hash }: AuthorizationCode, otherUserId: string | undefined): string {
  return otherUserId === undefined ? hash : `${hash}\n${otherUserId}`;
}

/** Whether a form comes from the page that this browser was shown: of this code, and in the place of this user's login. */
export function isFormOf(
  browser: Browser,
  record: AuthorizationCode,
  otherUserId: string | undefined,
  csrf: string | undefined,
): boolean {
  return isOwnForm(browser, subjectOf(record, otherUserId), csrf);
}

/**
 * The page from which a person goes on with a code that changes the login of the browser: a link that is one of two factors,
 * or the code of somebody else than who is logged in, which the page says. Only this browser can submit it.
 */
export function continueForm(input: {
  readonly code: string;
  readonly record: AuthorizationCode;
  readonly application: Application;
  readonly language: Language;
  readonly cookies: Readonly<Record<string, string>>;
  readonly other: OtherUser | undefined;
}) {
  const { code, record, application, language, other } = input;
  const browser = readBrowser(input.cookies);
  const brand = brandOf(application);
  const csrf = csrfToken(browser, subjectOf(record, other?.userId));
  const action = isMailedLink(record) ? mailedLinkPath(code) : resumePath(code);
  return {
    html: continueFormPage({ language, brand, action, csrf, replaces: other }),
    headers: formPageHeaders({ brand, leadsTo: [record.redirectUri] }),
    cookies: browserCookies({ browser }),
  };
}
