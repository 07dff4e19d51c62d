import type {
  Address,
  Change,
  ChangedAddress,
  EnrolledFactor,
  RemovedPasskey,
  User,
} from '../../ports/people.ts';
import { FORMER_ADDRESS_SECONDS, FORMER_ADDRESSES_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { isCurrent, isUnproven, added as oneMore, undone } from './generations.ts';

/** Changes of what logs in: they are told, and for some days undone. */

/**
 * Whether messages to an address reach its owner, as far as is known. `riskSince` (epoch seconds): a number that was put at risk
 * later than this counts all the same; by default none does.
 */
export const reachesOwner = (address: Address, riskSince = Number.POSITIVE_INFINITY): boolean =>
  address.standing !== 'claimed' &&
  !address.undeliverable &&
  (!address.risk || address.risk.reportedAt > riskSince);

/** Whether an address is told of its account. One that no longer opens it may be an attacker's. */
export const isTold = (user: User, address: Address | undefined, riskSince?: number): address is Address =>
  address !== undefined && reachesOwner(address, riskSince) && isCurrent(user, address);

const ATTRIBUTES = ['email', 'phoneNumber'] as const;

/** Another spelling of an email address is the same mailbox. */
const placeOf = (attribute: (typeof ATTRIBUTES)[number], address: Pick<Address, 'value'> | undefined) =>
  attribute === 'email' ? address && normaliseEmail(address.value)?.key : address?.value;

const isSomeones = (user: User): boolean =>
  user.lastAuthAt !== undefined || ATTRIBUTES.some((name) => user[name] && user[name].standing !== 'claimed');

function changeOf(
  { generations }: User,
  what: Change['what'],
  undoneBy: Change['undoneBy'],
  changedAt: number,
): Change {
  const until = changedAt + FORMER_ADDRESS_SECONDS;
  return {
    changeId: newId(),
    changedAt,
    until,
    counting: generations.counting,
    undoneBy,
    linkFrom: until,
    what,
  };
}

export const isAddress = (what: Change['what']): what is ChangedAddress =>
  what.attribute === 'email' || what.attribute === 'phoneNumber';

/** The oldest of each kind stay: an attacker could push out the change that took the account. */
const keep = (changes: readonly Change[], at: number): readonly Change[] =>
  changes
    .filter(({ until }) => until > at)
    .filter(
      (change, index, all) =>
        all.slice(0, index).filter(({ what }) => what.attribute === change.what.attribute).length <
        FORMER_ADDRESSES_MAX,
    );

/** What is bound after a change gets a number of its own: an undo shuts it out. */
function numbered(before: User, after: User): User {
  if (after.generations.last !== before.generations.last) return after;
  const { counting, last } = oneMore(after.generations);
  return { ...after, generations: { counting, last } };
}

/** An operator below admin changes addresses, in a tenant with this delay of a recovery. */
export interface ByOperator {
  /** Seconds. */
  readonly delay: number;
}

/** The change of an operator: the link alone undoes it, for as long as the delay at least. */
function byOperator(change: Change, { delay }: ByOperator): Change {
  const until = change.changedAt + Math.max(FORMER_ADDRESS_SECONDS, delay);
  return { ...change, until, linkFrom: until, isByOperator: true };
}

/** `after` with what it changed of `before` noted, as of `at` (epoch seconds). */
export function withChanges(
  before: User,
  after: User,
  by: Change['undoneBy'] | ByOperator,
  at: number,
): User {
  const operator = typeof by === 'object' ? by : undefined;
  const undoneBy = typeof by === 'object' ? 'link' : by;
  const isKept = isSomeones(before) || (operator && !isUnproven(before));
  const added = ATTRIBUTES.flatMap((attribute): readonly Change[] => {
    const [former, next] = [before[attribute], after[attribute]];
    // Of an operator another spelling is told, too: it is withheld like any other address.
    const isSame = operator
      ? former?.value === next?.value
      : placeOf(attribute, former) === placeOf(attribute, next);
    if (!isKept || isSame) return [];
    const change = changeOf(before, { attribute, ...(former && { former }) }, undoneBy, at);
    return [operator ? byOperator(change, operator) : change];
  });
  const next = added.length > 0 ? numbered(before, after) : after;
  return { ...next, changes: keep([...after.changes, ...added], at) };
}

/** `user` with the removal of a passkey noted, as of `at` (epoch seconds). */
export function withRemoved(
  user: User,
  credentialId: string,
  undoneBy: Change['undoneBy'],
  at: number,
): User {
  const removed = changeOf(user, { attribute: 'passkey', credentialId }, undoneBy, at);
  return { ...numbered(user, user), changes: keep([...user.changes, removed], at) };
}

/** `user` with a second factor noted that a login by one kind makes, as of `at` (epoch seconds): the link alone undoes it. */
export function withEnrolled(user: User, factor: Omit<EnrolledFactor, 'attribute'>, at: number): User {
  const what = { attribute: 'factor', ...factor } as const;
  return { ...numbered(user, user), changes: keep([...user.changes, changeOf(user, what, 'link', at)], at) };
}

/** The passkeys that logins have enrolled since a change, itself included. */
export const enrolledSince = (user: User, change: Change): readonly string[] =>
  user.changes
    .slice(user.changes.indexOf(change))
    .flatMap(({ what }) => (what.attribute === 'factor' && what.credentialId ? [what.credentialId] : []));

/** The passkeys that changes have removed since one, itself included. */
export const removedSince = (user: User, change: Change): readonly string[] =>
  user.changes
    .slice(user.changes.indexOf(change))
    .map(({ what }) => what)
    .filter((what): what is RemovedPasskey => what.attribute === 'passkey')
    .map(({ credentialId }) => credentialId);

/** An address that a change took away. */
export interface FormerAddress extends Pick<Change, 'changeId' | 'changedAt' | 'until'> {
  readonly attribute: ChangedAddress['attribute'];
  readonly value: string;
  /** An undo took it: it cannot undo that in turn. */
  readonly isFinal: boolean;
}

/** Former addresses of the user that messages reach; `riskSince` as for `reachesOwner`. */
export const formerAddresses = (
  { changes }: Pick<User, 'changes'>,
  riskSince?: number,
): readonly FormerAddress[] =>
  changes.flatMap(({ changeId, changedAt, until, undoneBy, what }) =>
    isAddress(what) && what.former && reachesOwner(what.former, riskSince)
      ? [
          {
            changeId,
            changedAt,
            until,
            isFinal: undoneBy === 'none',
            attribute: what.attribute,
            value: what.former.value,
          },
        ]
      : [],
  );

/**
 * The address that a user had, and has under this value again, in whatever spelling. It must still count: what a backend has given
 * anew does not until it is proven, but another spelling of a proven mailbox does.
 */
export function formerOf(
  user: User,
  attribute: ChangedAddress['attribute'],
  value: string,
): Address | undefined {
  const { [attribute]: current } = user;
  const given = placeOf(attribute, { value });
  const former = user.changes.map(({ what }) => (what.attribute === attribute ? what.former : undefined));
  return [current, ...former].find(
    (address) => address !== undefined && placeOf(attribute, address) === given && isCurrent(user, address),
  );
}

/** The change of that ID, if it can be undone at `at` (epoch seconds). */
export const undoableChange = (user: User, changeId: string, at: number): Change | undefined =>
  user.changes.find((each) => each.changeId === changeId && each.undoneBy !== 'none' && each.until > at);

/** Longer than the request of a change lasts. */
const REQUEST_SECONDS = 60;

const isOfEvent = ({ changedAt }: Change, at: number): boolean =>
  changedAt <= at && at < changedAt + REQUEST_SECONDS;

/**
 * Of the changes by operators that an event of `at` (epoch seconds) can be about, the first: its undo takes back the others, so no
 * second change in the same moment escapes it.
 */
export const operatorChangeOf = ({ changes }: User, at: number): Change | undefined =>
  changes.find((change) => change.isByOperator && isOfEvent(change, at));

/** What an event of `at` (epoch seconds) tells of an attribute, if it can be undone. */
export const undoableOf = (
  user: User,
  attribute: Change['what']['attribute'],
  at: number,
): Change | undefined =>
  user.changes.findLast(
    (change) =>
      change.what.attribute === attribute &&
      isOfEvent(change, at) &&
      undoableChange(user, change.changeId, at) !== undefined,
  );

/** The user as before a change that can be undone at `at` (epoch seconds), and the passkeys that its undo brings back. */
export function beforeChange(
  user: User,
  changeId: string,
  at: number,
): { readonly user: User; readonly restorable: readonly string[] } | undefined {
  const change = undoableChange(user, changeId, at);
  return change && { user: withoutChange(user, change, at), restorable: removedSince(user, change) };
}

/** Whether its owner has said that no other kind is left, and waits until the link is enough. */
export const isWaiting = ({ linkFrom, until }: Change): boolean => linkFrom < until;

/** Whether the link in the notice is enough. */
export const isUndoneByLink = ({ undoneBy, linkFrom }: Change, at: number): boolean =>
  undoneBy === 'link' || linkFrom <= at;

/**
 * The user as before a change: it and all later ones are undone, because they may be an attacker's, and what was bound since is
 * shut out. They cannot be undone again; the addresses that go are told.
 */
export function withoutChange(user: User, change: Change, at: number): User {
  const index = user.changes.indexOf(change);
  const later = user.changes.slice(index);
  // Who changed the address may have asked for a wait, too, or deleted the account.
  const { wait: _, erasure: __, ...rest } = user;
  let restored: User = { ...rest, updatedAt: at, generations: undone(user.generations, change.counting) };
  for (const { what } of later.toReversed()) {
    if (what.attribute === 'factor' && what.former) restored = { ...restored, phoneNumber: what.former };
    if (!isAddress(what)) continue;
    const { [what.attribute]: ___, ...others } = restored;
    restored = { ...others, ...(what.former && { [what.attribute]: what.former }) };
  }
  const known = { ...restored, changes: user.changes.slice(0, index) };
  const told = withChanges(user, known, 'none', at);
  return { ...told, changes: told.changes.filter(({ what }) => !isAddress(what) || what.former) };
}
