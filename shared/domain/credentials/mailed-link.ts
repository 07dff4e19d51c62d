import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { MethodUse } from '../../ports/flows.ts';
import { withParameters } from '../basis/redirect-uri.ts';

/**
 * Mailed links of section C. The caller's backend exchanges the code of the link, so the code lives as long as the link.
 * Opening never writes, because mail scanners open links.
 */

const OPEN_MAILED_LINK_PATH = '/v1/auth/links/email/open';

/** On the browser origin. */
export function mailedLinkPath(code: string): string {
  return withParameters(OPEN_MAILED_LINK_PATH, { code });
}

export function mailedLinkUrl(browserOrigin: string, code: string): string {
  return `${browserOrigin}${mailedLinkPath(code)}`;
}

/** Whether a code was mailed in a link: then its use proves the mailbox, and the request for it proved nothing. */
export function isMailedLink({ origin, methods }: AuthorizationCode): boolean {
  return origin === 'code-based' && methods.at(-1)?.method === 'eml';
}

/** What a code proves, and when (epoch seconds): digits and logins before the code, a mailed link at its use. */
export function usesOf(code: AuthorizationCode, usedAt: number): readonly MethodUse[] {
  const { methods } = code;
  const last = methods.at(-1);
  return last && isMailedLink(code) ? [...methods.slice(0, -1), { ...last, at: usedAt }] : methods;
}
