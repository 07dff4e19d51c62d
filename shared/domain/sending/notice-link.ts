import type { Using } from '../../ports/uses.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';

/** Links in notices: a secret by mail that undoes what the notice tells of. */

const SEAL = 'notice-link';

export interface NoticeLinkTarget {
  readonly userId: string;
  readonly tenantId: string;
  /** The sender of the notice; absent: the tenant. */
  readonly applicationId?: string;
  readonly undoes:
    | { readonly kind: 'address'; readonly changeId: string }
    | { readonly kind: 'recovery'; readonly since: number }
    | { readonly kind: 'erasure'; readonly erasureId: string };
}

/** The address of a new link. */
export async function makeNoticeLink(
  ports: Using<'noticeLinks.put'>,
  target: NoticeLinkTarget,
  expiresAt: number,
  { browserOrigin }: { readonly browserOrigin: string },
): Promise<string> {
  const secret = newSecret();
  const sealed = seal(secret, SEAL, JSON.stringify(target));
  await ports.noticeLinks.put({ hash: hashSecret(secret), target: sealed, expiresAt });
  return `${browserOrigin}${noticeLinkPath(secret)}`;
}

export const noticeLinkPath = (secret: string): string => `/notice?link=${encodeURIComponent(secret)}`;

/** Undefined when the link is unknown or expired. */
export async function findNoticeLink(
  ports: Using<'noticeLinks.find'>,
  secret: string,
  now: number,
): Promise<NoticeLinkTarget | undefined> {
  const link = await ports.noticeLinks.find(hashSecret(secret), now);
  const opened = link && unseal(secret, SEAL, link.target);
  return opened === undefined ? undefined : (JSON.parse(opened) as NoticeLinkTarget);
}
