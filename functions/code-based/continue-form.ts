import { csrfToken, readBrowser } from '../../shared/domain/browser.ts';
import { mailedLinkPath } from '../../shared/domain/mailed-link.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { Language } from '../../shared/templates/language.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { formPageHeaders } from '../../shared/templates/pages/frame.ts';
import { browserCookies } from '../browser/answer.ts';
import { brandOf } from '../browser/context.ts';

/** The page from which a person goes on with a link that is one of two factors; only this browser can submit it. */
export function continueForm(input: {
  readonly code: string;
  readonly link: AuthorizationCode;
  readonly application: Application;
  readonly language: Language;
  readonly cookies: Readonly<Record<string, string>>;
}) {
  const { code, link, application, language } = input;
  const browser = readBrowser(input.cookies);
  const brand = brandOf(application);
  const csrf = csrfToken(browser, link.hash);
  return {
    html: continueFormPage({ language, brand, action: mailedLinkPath(code), csrf }),
    headers: formPageHeaders({ brand, leadsTo: [link.redirectUri] }),
    cookies: browserCookies({ browser }),
  };
}
