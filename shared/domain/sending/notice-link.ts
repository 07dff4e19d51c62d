import { ServiceError } from '../../errors/service-error.ts';
import type { Using } from '../../ports/uses.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import type { UndoRequest } from '../oauth/authorization-request.ts';

/** Links in notices: a secret by mail that undoes what the notice tells of. */

const SEAL = 'notice-link';

export interface NoticeLinkTarget {
  readonly userId: string;
  readonly tenantId: string;
  /** The sender of the notice; absent: the tenant. */
  readonly applicationId?: string;
  /** By which its pages log in; absent: there are none. */
  readonly clientId?: string;
  /** The secret of the link in the mail, beside which a login has given another kind; absent: this link is that of the mail. */
  readonly provenFor?: string;
  readonly undoes: /** `address`: the reader of the mail gets theirs back. `change`: of a number, or of a passkey. */
    | { readonly kind: 'address' | 'change'; readonly changeId: string }
    | { readonly kind: 'recovery'; readonly since: number }
    /** The wait until a link alone undoes a change. */
    | { readonly kind: 'recovery'; readonly changeId: string }
    | { readonly kind: 'erasure'; readonly erasureId: string }
    /** What no longer opens the account is let in again, until another proof begins a generation. */
    | { readonly kind: 'reclaimed'; readonly generation: number };
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

/** Requires the link that a login says it began with: the request of a login proves nothing. Errors: `notice_link_over`. */
export async function requireUndoLink(
  ports: Using<'noticeLinks.find'>,
  { link, userId, changeId }: Pick<UndoRequest, 'link' | 'userId' | 'changeId'>,
  now: number,
): Promise<void> {
  const target = await findNoticeLink(ports, link, now);
  const isOwn =
    target?.userId === userId && (target.undoes.kind === 'address' || target.undoes.kind === 'change');
  if (!isOwn || target.undoes.changeId !== changeId) throw new ServiceError('notice_link_over');
}

/** Lets a link live as long as what it undoes. */
export const extendNoticeLink = (
  ports: Using<'noticeLinks.extend'>,
  secret: string,
  expiresAt: number,
): Promise<void> => ports.noticeLinks.extend(hashSecret(secret), expiresAt);

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
