import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { MethodUse } from '../../ports/flows.ts';
import { withParameters } from '../basis/redirect-uri.ts';

/**
 * Mailed links of section C. The link's code is the very code that the caller's backend exchanges, so it lives as long as
 * the link; opening never writes, because mail scanners open links before people do.
 */

const OPEN_MAILED_LINK_PATH = '/v1/auth/links/email/open';

/** On the browser origin. */
export function mailedLinkPath(code: string): string {
  return withParameters(OPEN_MAILED_LINK_PATH, { code });
}

export function mailedLinkUrl(browserOrigin: string, code: string): string {
  return `${browserOrigin}${mailedLinkPath(code)}`;
}

/** Whether a code was mailed in a link: then whoever uses it proves the mailbox, and whoever asked for it proved nothing. */
export function isMailedLink({ origin, methods }: AuthorizationCode): boolean {
  return origin === 'code-based' && methods.at(-1)?.method === 'eml';
}

/** What a code proves, and when: digits and logins did so before there was a code, a mailed link does when it is used. */
export function usesOf(code: AuthorizationCode, usedAt: number): readonly MethodUse[] {
  return isMailedLink(code) ? code.methods.map((use) => ({ ...use, at: usedAt })) : code.methods;
}
