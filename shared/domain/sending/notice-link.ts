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
  /** OAuth client for the login that starts on the page behind the notice link. Absent if this page cannot start a login. */
  readonly clientId?: string;
  /**
   * Secret of the mailed undo link. Set only in a link that is created after a login with another factor, as proof that the
   * user has both the mailed link and that factor.
   */
  readonly provenFor?: string;
  readonly undoes: /** Undo link: `address` restores the reader's address, `change` reverts a phone number or passkey. */
    | { readonly kind: 'address' | 'change'; readonly changeId: string }
    | { readonly kind: 'recovery'; readonly since: number }
    /**
     * Link that cancels a requested undo. Without the cancellation, the undo link is enough after a delay, without another
     * factor.
     */
    | { readonly kind: 'recovery'; readonly changeId: string }
    | { readonly kind: 'erasure'; readonly erasureId: string }
    /**
     * Link to a login that can reinstate superseded credentials. Invalid once a credential generation above `generation` has
     * started.
     */
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

/** Checks that the notice link of a login request undoes the change that the request names. Throws `notice_link_over`. */
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

/** Extends the validity of a notice link to `expiresAt` (epoch seconds), until which the link can undo its change. */
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
