// Mailed links of SPEC C. The caller's backend exchanges the code of the link, so the code is valid as long as the link.
// Opening a link writes nothing, because mail scanners open links as well.
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { MethodUse } from '../../ports/flows.ts';
import { addParameters } from '../basis/redirect-uri.ts';

export const OPEN_MAILED_LINK_PATH = '/v1/auth/links/email/open';

/** Returns the path of a mailed link on the browser origin. */
export function mailedLinkPath(code: string): string {
  return addParameters(OPEN_MAILED_LINK_PATH, { code });
}

export function mailedLinkUrl(browserOrigin: string, code: string): string {
  return `${browserOrigin}${mailedLinkPath(code)}`;
}

/** Returns true if a code was sent in a mailed link. Such a code proves control of the mailbox only when it is used. */
export function isMailedLink({ origin, methods }: AuthorizationCode): boolean {
  return origin === 'code-based' && methods.at(-1)?.method === 'eml';
}

/** Returns the proofs of a code with their times (epoch seconds). The proof of a mailed link has the time of the link's use. */
export function listCodeProofs(code: AuthorizationCode, usedAt: number): readonly MethodUse[] {
  const { methods } = code;
  const last = methods.at(-1);
  return last && isMailedLink(code) ? [...methods.slice(0, -1), { ...last, at: usedAt }] : methods;
}
