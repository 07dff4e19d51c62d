import { FORMER_ADDRESS_SECONDS } from '../../shared/domain/basis/limits.ts';
import type { NoticeDelivery, NoticeKind, NoticeSender } from '../../shared/domain/sending/notice.ts';
import type { NoticeLinkTarget } from '../../shared/domain/sending/notice-link.ts';
import { isWaiting, operatorChangeOf, undoableOf } from '../../shared/domain/trust/changes.ts';
import { opensAtOf, todays } from '../../shared/domain/trust/generations.ts';
import { NEVER } from '../../shared/domain/users/wait.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { Change, User } from '../../shared/ports/people.ts';

// What a notice tells of, when that takes effect, and what the link in its message undoes.

/** An event with the user and the sender of its notice. */
export interface Notice {
  readonly event: SecurityEvent;
  readonly kind: NoticeKind;
  readonly user: User;
  readonly sender: NoticeSender;
  /** Absent: the tenant sends. */
  readonly application: Application | undefined;
}

const MILLISECONDS = 1000;

export const atOf = ({ event }: Notice) => Math.floor(Date.parse(event.time) / MILLISECONDS);

/** The undo that waits until its link is enough. */
const waitingUndo = ({ user }: Notice) =>
  user.changes.filter(isWaiting).toSorted((one, other) => other.linkFrom - one.linkFrom)[0];

const isErasure = (kind: NoticeKind) => kind === 'erasure_requested' || kind === 'erasure_waits';

const ADDRESSES: Partial<Readonly<Record<NoticeKind, 'email' | 'phoneNumber'>>> = {
  email_added: 'email',
  email_changed: 'email',
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
};

/** Returns the change of an address by an operator below admin that the notice is about, or one that came just before it. */
export const operatorChange = (notice: Notice): Change | undefined =>
  ADDRESSES[notice.kind] && operatorChangeOf(notice.user, atOf(notice));

/** When the address logs in by itself that an operator has set. */
function opensAtBy({ kind, user }: Notice): number | undefined {
  const { [kind]: attribute } = ADDRESSES;
  const address = attribute && user[attribute];
  const opensAt = address && opensAtOf(user, address);
  return opensAt === NEVER ? undefined : opensAt;
}

/** When what was asked for takes effect. */
export function effectOf(notice: Notice): number | undefined {
  const { wait, erasure } = notice.user;
  if (operatorChange(notice)) return opensAtBy(notice);
  if (isErasure(notice.kind)) return erasure?.effectiveAt;
  if (notice.kind === 'undo_requested') return waitingUndo(notice)?.linkFrom;
  return notice.kind === 'recovery_requested' ? wait?.effectiveAt : undefined;
}

/** The change that the link of a message undoes, and the time until which it does. */
interface Undo {
  readonly undoes: NoticeLinkTarget['undoes'];
  readonly until: number;
}

/** The attribute of a change whose notice the mailbox that stays gets. */
const CHANGED = {
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
  passkey_added: 'factor',
  passkey_removed: 'passkey',
} as const;
const isChange = (kind: NoticeKind): kind is keyof typeof CHANGED => Object.hasOwn(CHANGED, kind);

/** The login by one kind that has made a second factor, if the event is of that. */
export function enrolmentOf(notice: Notice): Change | undefined {
  const { kind, user } = notice;
  const isMade = isChange(kind) && kind !== 'passkey_removed';
  return isMade ? undoableOf(user, 'factor', atOf(notice)) : undefined;
}

function changeOf(notice: Notice): Change | undefined {
  const { kind, user } = notice;
  const byOperator = operatorChange(notice);
  if (byOperator || !isChange(kind)) return byOperator;
  return enrolmentOf(notice) ?? undoableOf(user, CHANGED[kind], atOf(notice));
}

/** A change is told to those that counted before it: it may have shut them out since. */
export function toldOf(notice: Notice): User {
  const { user } = notice;
  const { counting = user.generations.counting } = changeOf(notice) ?? {};
  return { ...user, generations: { ...user.generations, counting } };
}

export function undoOf(notice: Notice, former: NoticeDelivery['former']): Undo | undefined {
  const { kind, user } = notice;
  if (former) {
    const back = former.attribute === 'email' ? 'address' : 'change';
    return former.isFinal
      ? undefined
      : { undoes: { kind: back, changeId: former.changeId }, until: former.until };
  }
  const { wait, erasure } = user;
  if (isChange(kind) || operatorChange(notice)) {
    const change = changeOf(notice);
    return change && { undoes: { kind: 'change', changeId: change.changeId }, until: change.until };
  }
  switch (kind) {
    case 'erasure_requested':
    case 'erasure_waits':
      return (
        erasure && { undoes: { kind: 'erasure', erasureId: erasure.erasureId }, until: erasure.effectiveAt }
      );
    case 'undo_requested': {
      const waiting = waitingUndo(notice);
      return waiting && { undoes: { kind: 'recovery', changeId: waiting.changeId }, until: waiting.until };
    }
    case 'recovery_requested':
    case 'recovery_granted':
      return wait && { undoes: { kind: 'recovery', since: wait.since }, until: wait.endsAt };
    case 'reclaimed': {
      const undoes = { kind: 'reclaimed', generation: todays(user) } as const;
      return { undoes, until: atOf(notice) + FORMER_ADDRESS_SECONDS };
    }
    default:
      return undefined;
  }
}
