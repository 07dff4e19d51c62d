// History of changes to a user's credentials. Users are notified of each change and can undo it for some days.
import type {
  Address,
  ChangedAddress,
  CredentialChange,
  EnrolledFactor,
  RemovedPasskey,
  User,
} from '../../ports/people.ts';
import { ADDRESS_ATTRIBUTES, type AddressAttribute, typeOfAttribute } from '../../records/channels.ts';
import { FORMER_ADDRESS_SECONDS, FORMER_ADDRESSES_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { listAddresses, storedIdentifier } from '../identifiers/stored-address.ts';
import {
  hasNothingProven,
  hasValidGeneration,
  addGeneration as oneMore,
  restoreGenerations,
} from './generations.ts';

/**
 * Returns true if messages to an address are expected to reach its owner. A phone number with a reported risk, such as a SIM
 * swap, is accepted only if the risk was reported after `riskSince` (epoch seconds). By default, such a number is never
 * accepted.
 */
export const reachesOwner = (address: Address, riskSince = Number.POSITIVE_INFINITY): boolean =>
  address.standing !== 'claimed' &&
  !address.undeliverable &&
  (!address.risk || address.risk.reportedAt > riskSince);

/**
 * Returns true if an address gets notices about its account. An address that is superseded, or was set without a login and is
 * not proven yet, gets no notices, because it may belong to an attacker.
 */
export const isNotified = (
  user: User,
  address: Address | undefined,
  riskSince?: number,
): address is Address =>
  address !== undefined && reachesOwner(address, riskSince) && hasValidGeneration(user, address);

/** Returns the normalised form of an address for comparison, because two spellings of an email address are one mailbox. */
const addressKey = (attribute: AddressAttribute, address: Pick<Address, 'value'> | undefined) =>
  address && storedIdentifier(typeOfAttribute(attribute), address.value)?.value;

/** Returns true if an account has an owner: a user has logged in to it, or has verified one of its addresses. */
const hasOwner = (user: User): boolean =>
  user.lastAuthAt !== undefined || listAddresses(user).some(({ address }) => address.standing !== 'claimed');

function newChange(
  { generations }: User,
  what: CredentialChange['what'],
  undoCondition: CredentialChange['undoCondition'],
  changedAt: number,
): CredentialChange {
  const until = changedAt + FORMER_ADDRESS_SECONDS;
  return {
    changeId: newId(),
    changedAt,
    until,
    validBefore: generations.valid,
    undoCondition,
    linkFrom: until,
    what,
  };
}

export const isAddressChange = (what: CredentialChange['what']): what is ChangedAddress =>
  ADDRESS_ATTRIBUTES.some((attribute) => attribute === what.attribute);

/**
 * Drops changes that can no longer be undone, and limits their number per attribute. The oldest changes are kept, because an
 * attacker could otherwise make further changes until the change that took over the account is dropped.
 */
const keepOldest = (changes: readonly CredentialChange[], at: number): readonly CredentialChange[] =>
  changes
    .filter(({ until }) => until > at)
    .filter(
      (change, index, all) =>
        all.slice(0, index).filter(({ what }) => what.attribute === change.what.attribute).length <
        FORMER_ADDRESSES_MAX,
    );

/**
 * Starts a credential generation with a change, unless the change has already started one. An undo of the change then
 * supersedes credentials that were added later.
 */
function withOwnGeneration(before: User, after: User): User {
  if (after.generations.highest !== before.generations.highest) return after;
  const { valid, highest } = oneMore(after.generations);
  return { ...after, generations: { valid, highest } };
}

/** Details of an address change by a non-admin operator. */
export interface OperatorChange {
  /** Recovery delay of the tenant, in seconds. */
  readonly delay: number;
}

/** Marks a credential change as made by a non-admin operator. The change can be undone for at least the recovery delay. */
function byOperator(change: CredentialChange, { delay }: OperatorChange): CredentialChange {
  const until = change.changedAt + Math.max(FORMER_ADDRESS_SECONDS, delay);
  return { ...change, until, linkFrom: until, isByOperator: true };
}

/** Returns the user record `after`, with the changed addresses added to the history of changes if the account has an owner. */
export function recordAddressChanges(
  before: User,
  after: User,
  by: CredentialChange['undoCondition'] | OperatorChange,
  at: number,
): User {
  const operator = typeof by === 'object' ? by : undefined;
  const undoCondition = typeof by === 'object' ? 'link' : by;
  const isKept = hasOwner(before) || (operator && !hasNothingProven(before));
  const added = ADDRESS_ATTRIBUTES.flatMap((attribute): readonly CredentialChange[] => {
    const [former, next] = [before[attribute], after[attribute]];
    // For an operator's change, another spelling is also recorded, because a new spelling is withheld like any other new
    // address.
    const isSame = operator
      ? former?.value === next?.value
      : addressKey(attribute, former) === addressKey(attribute, next);
    if (!isKept || isSame) return [];
    const change = newChange(before, { attribute, ...(former && { former }) }, undoCondition, at);
    return [operator ? byOperator(change, operator) : change];
  });
  const next = added.length > 0 ? withOwnGeneration(before, after) : after;
  return { ...next, changes: keepOldest([...after.changes, ...added], at) };
}

/** Returns the user with the removal of a passkey added to the history, as of `at` (epoch seconds). */
export function recordPasskeyRemoval(
  user: User,
  credentialId: string,
  undoCondition: CredentialChange['undoCondition'],
  at: number,
): User {
  const removed = newChange(user, { attribute: 'passkey', credentialId }, undoCondition, at);
  return { ...withOwnGeneration(user, user), changes: keepOldest([...user.changes, removed], at) };
}

/**
 * Returns the user with the enrolment of a second factor added to the history, as of `at` (epoch seconds). The factor was
 * enrolled after a login with only one factor type, so the link in the notice is enough to undo the enrolment.
 */
export function recordFactorEnrolment(
  user: User,
  factor: Omit<EnrolledFactor, 'attribute'>,
  at: number,
): User {
  const what = { attribute: 'factor', ...factor } as const;
  return {
    ...withOwnGeneration(user, user),
    changes: keepOldest([...user.changes, newChange(user, what, 'link', at)], at),
  };
}

/** Returns the IDs of the passkeys that logins have enrolled since a change, including by the change itself. */
export const listPasskeysEnrolledSince = (user: User, change: CredentialChange): readonly string[] =>
  user.changes
    .slice(user.changes.indexOf(change))
    .flatMap(({ what }) => (what.attribute === 'factor' && what.credentialId ? [what.credentialId] : []));

/** Returns the IDs of the passkeys that were removed since a change, including by the change itself. */
export const listPasskeysRemovedSince = (user: User, change: CredentialChange): readonly string[] =>
  user.changes
    .slice(user.changes.indexOf(change))
    .map(({ what }) => what)
    .filter((what): what is RemovedPasskey => what.attribute === 'passkey')
    .map(({ credentialId }) => credentialId);

/** Address that the user had before a change. */
export interface FormerAddress extends Pick<CredentialChange, 'changeId' | 'changedAt' | 'until'> {
  readonly attribute: ChangedAddress['attribute'];
  readonly value: string;
  /** True if the change was itself an undo. The owner of the former address cannot revert this undo. */
  readonly isFinal: boolean;
}

/**
 * Returns the former addresses of a user at which notices still reach the owner. Includes a phone number with a reported risk
 * only if the report was after `riskSince`.
 */
export const formerAddresses = (
  { changes }: Pick<User, 'changes'>,
  riskSince?: number,
): readonly FormerAddress[] =>
  changes.flatMap(({ changeId, changedAt, until, undoCondition, what }) =>
    isAddressChange(what) && what.former && reachesOwner(what.former, riskSince)
      ? [
          {
            changeId,
            changedAt,
            until,
            isFinal: undoCondition === 'none',
            attribute: what.attribute,
            value: what.former.value,
          },
        ]
      : [],
  );

/**
 * Finds the current or former address of a user that equals a value, in any spelling. Only an address of a valid credential
 * generation is found. An address that a backend has set without a login is therefore not found until it is proven.
 */
export function findFormerAddress(
  user: User,
  attribute: ChangedAddress['attribute'],
  value: string,
): Address | undefined {
  const { [attribute]: current } = user;
  const given = addressKey(attribute, { value });
  const former = user.changes.map(({ what }) => (what.attribute === attribute ? what.former : undefined));
  return [current, ...former].find(
    (address) =>
      address !== undefined && addressKey(attribute, address) === given && hasValidGeneration(user, address),
  );
}

/** Finds a change by its ID. Returns undefined if the change cannot be undone at `at` (epoch seconds). */
export const findUndoableChange = (user: User, changeId: string, at: number): CredentialChange | undefined =>
  user.changes.find((each) => each.changeId === changeId && each.undoCondition !== 'none' && each.until > at);

/** Maximum number of seconds between a change and its event. No request that changes credentials takes longer. */
const REQUEST_SECONDS = 60;

const matchesEvent = ({ changedAt }: CredentialChange, at: number): boolean =>
  changedAt <= at && at < changedAt + REQUEST_SECONDS;

/**
 * Finds the first operator change that can be the cause of an event at `at` (epoch seconds). Undoing it also undoes all later
 * changes, including any other change at the same moment.
 */
export const findOperatorChange = ({ changes }: User, at: number): CredentialChange | undefined =>
  changes.find((change) => change.isByOperator && matchesEvent(change, at));

/**
 * Finds the latest change of an attribute that can be the cause of an event at `at` (epoch seconds) and that can still be
 * undone.
 */
export const findUndoableEventChange = (
  user: User,
  attribute: CredentialChange['what']['attribute'],
  at: number,
): CredentialChange | undefined =>
  user.changes.findLast(
    (change) =>
      change.what.attribute === attribute &&
      matchesEvent(change, at) &&
      findUndoableChange(user, change.changeId, at) !== undefined,
  );

/**
 * Returns the user record as it will be after an undo, and the IDs of passkeys that the undo restores. Returns undefined if the
 * change cannot be undone at `at` (epoch seconds).
 */
export function previewUndo(
  user: User,
  changeId: string,
  at: number,
): { readonly user: User; readonly restorable: readonly string[] } | undefined {
  const change = findUndoableChange(user, changeId, at);
  return (
    change && { user: undoFromChange(user, change, at), restorable: listPasskeysRemovedSince(user, change) }
  );
}

/**
 * Returns true if the owner has stated that they have no other factor. After a delay, the link in the notice is then enough to
 * undo the change.
 */
export const isLinkDelayed = ({ linkFrom, until }: CredentialChange): boolean => linkFrom < until;

/** Returns true if the link in the notice is enough to undo a change at `at` (epoch seconds), without another factor. */
export const canLinkUndo = ({ undoCondition, linkFrom }: CredentialChange, at: number): boolean =>
  undoCondition === 'link' || linkFrom <= at;

/**
 * Returns the user as before a change. All later changes are also undone, because an attacker may have made them, and
 * credentials that were added since then are superseded. The undo itself is recorded as a change that cannot be undone, so that
 * the addresses that it removes are notified.
 */
export function undoFromChange(user: User, change: CredentialChange, at: number): User {
  const index = user.changes.indexOf(change);
  const later = user.changes.slice(index);
  // The attacker who changed the address may also have started a recovery or deleted the account, so the undo removes both.
  const { recovery: _, erasure: __, ...rest } = user;
  let restored: User = {
    ...rest,
    updatedAt: at,
    generations: restoreGenerations(user.generations, change.validBefore),
  };
  for (const { what } of later.toReversed()) {
    if (what.attribute === 'factor' && what.former) restored = { ...restored, phoneNumber: what.former };
    if (!isAddressChange(what)) continue;
    const { [what.attribute]: ___, ...others } = restored;
    restored = { ...others, ...(what.former && { [what.attribute]: what.former }) };
  }
  const known = { ...restored, changes: user.changes.slice(0, index) };
  const recorded = recordAddressChanges(user, known, 'none', at);
  return {
    ...recorded,
    changes: recorded.changes.filter(({ what }) => !isAddressChange(what) || what.former),
  };
}
