// Rules for the content of a notice: when the reported change takes effect, and what the link in the message undoes.

import { FORMER_ADDRESS_SECONDS } from '../../shared/domain/basis/limits.ts';
import type { NoticeDelivery, NoticeSender, NoticeType } from '../../shared/domain/sending/notice.ts';
import type { NoticeLinkTarget } from '../../shared/domain/sending/notice-link.ts';
import {
  findOperatorChange,
  findUndoableEventChange,
  isLinkDelayed,
} from '../../shared/domain/trust/changes.ts';
import { currentGeneration, loginDelayedUntil } from '../../shared/domain/trust/generations.ts';
import { NEVER } from '../../shared/domain/users/pending-recovery.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';
import type { CredentialChange, User } from '../../shared/ports/people.ts';
import type { AddressAttribute } from '../../shared/records/channels.ts';

/** A notice to be sent: the event, the kind of notice, the user concerned, and the application or tenant that sends it. */
export interface Notice {
  readonly event: SecurityEvent;
  readonly kind: NoticeType;
  readonly user: User;
  readonly sender: NoticeSender;
  /** Application of the event; undefined if the tenant is the sender. */
  readonly application: Application | undefined;
}

const MILLISECONDS = 1000;

/** Returns the time of a notice's event in epoch seconds. */
export const readNoticeTime = ({ event }: Notice) => Math.floor(Date.parse(event.time) / MILLISECONDS);

/** Returns the pending undo whose delay ends last. Until then, the link in the notice also requires a login. */
const waitingUndo = ({ user }: Notice) =>
  user.changes.filter(isLinkDelayed).toSorted((one, other) => other.linkFrom - one.linkFrom)[0];

const isErasure = (kind: NoticeType) => kind === 'erasure_requested' || kind === 'erasure_waits';

/** Address attribute that a notice concerns, for each kind of notice about an added or changed address. */
const ADDRESS_ATTRIBUTES: Partial<Readonly<Record<NoticeType, AddressAttribute>>> = {
  email_added: 'email',
  email_changed: 'email',
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
};

/**
 * Returns the earliest address change that an operator with a role below `admin` made, if the notice is about an address.
 * Undoing this change also reverts later changes.
 */
export const findNoticeOperatorChange = (notice: Notice): CredentialChange | undefined =>
  ADDRESS_ATTRIBUTES[notice.kind] && findOperatorChange(notice.user, readNoticeTime(notice));

/**
 * Returns the time, in epoch seconds, from which the user can log in with only an address that an operator has set. Undefined
 * if this is possible now, or will never be possible.
 */
function findLoginDelayEnd({ kind, user }: Notice): number | undefined {
  const { [kind]: attribute } = ADDRESS_ATTRIBUTES;
  const address = attribute && user[attribute];
  const delayedUntil = address && loginDelayedUntil(user, address);
  return delayedUntil === NEVER ? undefined : delayedUntil;
}

/**
 * Returns the time at which the change in a notice takes effect, in epoch seconds. Only an address set by an operator, an
 * erasure, an undo and a recovery take effect with a delay. Returns undefined if the change takes effect immediately.
 */
export function readEffectiveTime(notice: Notice): number | undefined {
  const { recovery, erasure } = notice.user;
  if (findNoticeOperatorChange(notice)) return findLoginDelayEnd(notice);
  if (isErasure(notice.kind)) return erasure?.effectiveAt;
  if (notice.kind === 'undo_requested') return waitingUndo(notice)?.linkFrom;
  return notice.kind === 'recovery_requested' ? recovery?.effectiveAt : undefined;
}

/** Change that the link of a message undoes. `until` is the time at which the link expires, in epoch seconds. */
interface Undo {
  readonly undoes: NoticeLinkTarget['undoes'];
  readonly until: number;
}

/** Credential whose change a notice link undoes, by kind of notice. Applies to messages to the user's current addresses. */
const CHANGED_ATTRIBUTES = {
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
  passkey_added: 'factor',
  passkey_removed: 'passkey',
} as const;
const isChange = (kind: NoticeType): kind is keyof typeof CHANGED_ATTRIBUTES =>
  Object.hasOwn(CHANGED_ATTRIBUTES, kind);

/** Returns the change that a notice reports if the change added a second factor in a login with only one factor type. */
export function findEnrolment(notice: Notice): CredentialChange | undefined {
  const { kind, user } = notice;
  const isAddition = isChange(kind) && kind !== 'passkey_removed';
  return isAddition ? findUndoableEventChange(user, 'factor', readNoticeTime(notice)) : undefined;
}

/** Returns the change that a notice reports and that its link can undo. */
function findChange(notice: Notice): CredentialChange | undefined {
  const { kind, user } = notice;
  const byOperator = findNoticeOperatorChange(notice);
  if (byOperator || !isChange(kind)) return byOperator;
  return (
    findEnrolment(notice) ?? findUndoableEventChange(user, CHANGED_ATTRIBUTES[kind], readNoticeTime(notice))
  );
}

/** Returns the credential ID of the passkey whose removal a notice reports, if the removal can be undone. */
export function findRemovedPasskey(notice: Notice): string | undefined {
  const what = findChange(notice)?.what;
  return what?.attribute === 'passkey' ? what.credentialId : undefined;
}

/**
 * Returns the user with the credential generations that were valid before the reported change. Addresses that the change
 * superseded then also get the notice.
 */
export function withEarlierGenerations(notice: Notice): User {
  const { user } = notice;
  const { validBefore = user.generations.valid } = findChange(notice) ?? {};
  return { ...user, generations: { ...user.generations, valid: validBefore } };
}

/**
 * Kind of undo that the link in a message to a removed address offers: `address` restores an email address, `change` undoes the
 * change.
 */
const TAKEN_BACK: Readonly<Record<AddressAttribute, 'address' | 'change'>> = {
  email: 'address',
  phoneNumber: 'change',
};

/**
 * Returns the change that the link of a message undoes and the link's expiry, or undefined if the notice reports nothing to
 * undo.
 * @param former address that the change removed, if the message goes to that address
 */
export function findUndo(notice: Notice, former: NoticeDelivery['former']): Undo | undefined {
  const { kind, user } = notice;
  if (former) {
    return former.isFinal
      ? undefined
      : { undoes: { kind: TAKEN_BACK[former.attribute], changeId: former.changeId }, until: former.until };
  }
  const { recovery, erasure } = user;
  if (isChange(kind) || findNoticeOperatorChange(notice)) {
    const change = findChange(notice);
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
      return recovery && { undoes: { kind: 'recovery', since: recovery.since }, until: recovery.endsAt };
    case 'reclaimed': {
      const undoes = { kind: 'reclaimed', generation: currentGeneration(user) } as const;
      return { undoes, until: readNoticeTime(notice) + FORMER_ADDRESS_SECONDS };
    }
    default:
      return undefined;
  }
}
