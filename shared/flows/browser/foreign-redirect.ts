import type { ResponseExtras, Settings } from '../../operation.ts';
import { type LeavingPageInput, leavingPage } from '../../templates/pages/continue-page.ts';
import { leavingPageHeaders } from '../../templates/parts/frame.ts';

/** Responds to a form with a page that navigates to another host, directly or through a redirect of this service. */
export const continueByPage = (input: LeavingPageInput) => ({
  html: leavingPage(input),
  headers: leavingPageHeaders(input.brand),
});

/**
 * Replaces a redirect to another host by a page that leads there, in responses to forms. Chromium checks all redirects after a
 * form submission against `form-action` (CSP 3 §6.4.1), even later redirects of the application to the scheme of an app. A
 * redirect to our own host stays a redirect.
 */
export function replaceForeignRedirect<Answer extends ResponseExtras>(
  answer: Answer,
  { browserOrigin }: Pick<Settings, 'browserOrigin'>,
  look: Omit<LeavingPageInput, 'href' | 'provider'>,
) {
  if (!('redirect' in answer) || typeof answer.redirect !== 'string') return answer;
  const { redirect: href, ...rest } = answer;
  if (new URL(href).origin === browserOrigin) return answer;
  const page = continueByPage({ ...look, href });
  return { ...rest, ...page, headers: { ...answer.headers, ...page.headers } };
}
