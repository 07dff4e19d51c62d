// Links in notices: each contains a secret that undoes the change which the notice reports.
import { ServiceError } from '../../errors/service-error.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import type { UndoRequest } from '../oauth/authorization-request.ts';

const SEAL = 'notice-link';

export interface NoticeLinkTarget {
  readonly userId: string;
  readonly tenantId: string;
  /** Application that sent the notice. Absent if the tenant sent it. */
  readonly applicationId?: string;
  /** Client with which the pages of the link start a login. Absent if they cannot start one. */
  readonly clientId?: string;
  /** Secret of the original mailed link, if a login has proven another factor type for it. Absent in that link itself. */
  readonly provenFor?: string;
  readonly undoes: /** Undo link: `address` restores the reader's address, `change` reverts a phone number or passkey. */
    | { readonly kind: 'address' | 'change'; readonly changeId: string }
    | { readonly kind: 'recovery'; readonly since: number }
    /** Link that cancels the delay after which the link of another notice could undo a change by itself. */
    | { readonly kind: 'recovery'; readonly changeId: string }
    | { readonly kind: 'erasure'; readonly erasureId: string }
    /** Link that re-enables superseded credentials, unless another proof has started a new generation since. */
    | { readonly kind: 'reclaimed'; readonly generation: number };
}

/** Creates a notice link and returns its URL. */
export async function makeNoticeLink(
  ports: PortsWith<'noticeLinks.put'>,
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

/** Checks the notice link that a login's request names, because a request proves nothing. Throws `notice_link_over`. */
export async function requireUndoLink(
  ports: PortsWith<'noticeLinks.find'>,
  { link, userId, changeId }: Pick<UndoRequest, 'link' | 'userId' | 'changeId'>,
  now: number,
): Promise<void> {
  const target = await findNoticeLink(ports, link, now);
  const isOwn =
    target?.userId === userId && (target.undoes.kind === 'address' || target.undoes.kind === 'change');
  if (!isOwn || target.undoes.changeId !== changeId) throw new ServiceError('notice_link_over');
}

/** Extends a notice link to `expiresAt` (epoch seconds), the end of the time in which it can undo its change. */
export const extendNoticeLink = (
  ports: PortsWith<'noticeLinks.extend'>,
  secret: string,
  expiresAt: number,
): Promise<void> => ports.noticeLinks.extend(hashSecret(secret), expiresAt);

/** Finds the target of a notice link. Returns undefined if the link is unknown or has expired. */
export async function findNoticeLink(
  ports: PortsWith<'noticeLinks.find'>,
  secret: string,
  now: number,
): Promise<NoticeLinkTarget | undefined> {
  const link = await ports.noticeLinks.find(hashSecret(secret), now);
  const opened = link && unseal(secret, SEAL, link.target);
  return opened === undefined ? undefined : (JSON.parse(opened) as NoticeLinkTarget);
}
