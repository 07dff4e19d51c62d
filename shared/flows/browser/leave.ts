import type { Settings } from '../../operation.ts';
import { type LeavingPageInput, leavingPage } from '../../templates/pages/continue-page.ts';
import { leavingPageHeaders } from '../../templates/parts/frame.ts';

/** The answer to a form: a page that goes on to an address, or to an own one that redirects to another host. */
export const leavingAnswer = (input: LeavingPageInput) => ({
  html: leavingPage(input),
  headers: leavingPageHeaders(input.brand),
});

/**
 * Answers a form in place of a redirect to another host. Chromium checks all redirects after a submit against `form-action` (CSP
 * 3 §6.4.1), the application's own to the scheme of an app included. A redirect on our host stays one.
 */
export function leaveByPage<Answer extends object>(
  answer: Answer,
  { browserOrigin }: Pick<Settings, 'browserOrigin'>,
  look: Omit<LeavingPageInput, 'href' | 'provider'>,
) {
  if (!('redirect' in answer) || typeof answer.redirect !== 'string') return answer;
  const { redirect: href, ...rest } = answer;
  return new URL(href).origin === browserOrigin ? answer : { ...rest, ...leavingAnswer({ ...look, href }) };
}
