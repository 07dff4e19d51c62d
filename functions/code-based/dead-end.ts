import type { Language } from '../../shared/templates/language.ts';
import { consentlessErrorPage } from '../../shared/templates/pages/consentless-error-page.ts';
import { pageHeaders } from '../../shared/templates/parts/frame.ts';
import type { DeadEndKey } from '../../shared/templates/texts/login-texts.ts';

/** For a browser that there is no leading back. */
export function deadEnd(language: Language, status: 400 | 404, key: DeadEndKey = 'login_expired') {
  return { html: consentlessErrorPage({ language, key }), status, headers: pageHeaders };
}
