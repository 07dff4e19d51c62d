import type { Address, FormerAddress, User } from '../../ports/people.ts';
import { FORMER_ADDRESS_SECONDS, FORMER_ADDRESSES_MAX } from '../basis/limits.ts';
import { newId } from '../basis/random.ts';
import { normaliseEmail } from './email-address.ts';
import { isProvenAt } from './proven-address.ts';

/** Whether messages to an address reach its owner, as far as is known: it is proven in the tenant, takes mail, and is not at risk. */
export const reachesOwner = (address: Address): boolean =>
  isProvenAt(address, undefined) && !address.undeliverable && !address.risk;

/** Another spelling of an email address is the same mailbox. */
const mailboxOf = (email: string) => normaliseEmail(email)?.key;

/** What was bound by fewer kinds stays one of two factors where it was, whatever becomes of the address meanwhile. */
export const secondAtOf = ({ secondAt }: Pick<Address, 'secondAt'>): Pick<Address, 'secondAt'> =>
  secondAt === undefined ? {} : { secondAt };

const ATTRIBUTES = ['email', 'phoneNumber'] as const;

type Left = Pick<FormerAddress, 'attribute' | 'secondAt' | 'value'>;

/** The proven addresses of `before` that `after` has no more. */
function leftBehind(before: User, after: User): readonly Left[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const [former, next] = [before[attribute], after[attribute]];
    if (!former || !reachesOwner(former) || former.value === next?.value) return [];
    const sameMailbox = attribute === 'email' && next && mailboxOf(former.value) === mailboxOf(next.value);
    return sameMailbox ? [] : [{ attribute, value: former.value, ...secondAtOf(former) }];
  });
}

function formerAddress(address: Left, changedAt: number, isFinal: boolean): FormerAddress {
  return { changeId: newId(), ...address, changedAt, until: changedAt + FORMER_ADDRESS_SECONDS, isFinal };
}

/**
 * What the user's record remembers of proven addresses that it gives up: only there can the notice of the change find them,
 * because events name no address. The oldest of each kind stay: an attacker could push out the address of the owner.
 */
export function rememberFormerAddresses(
  before: User,
  wanted: User,
  at: number,
): Pick<User, 'formerAddresses'> {
  const kept = (wanted.formerAddresses ?? []).filter(({ until }) => until > at);
  const added = leftBehind(before, wanted)
    .filter(({ value }) => !kept.some((each) => each.changedAt === at && each.value === value))
    .map((address) => formerAddress(address, at, false));
  const all = ATTRIBUTES.flatMap((attribute) =>
    [...kept, ...added].filter((each) => each.attribute === attribute).slice(0, FORMER_ADDRESSES_MAX),
  );
  return all.length === 0 ? {} : { formerAddresses: all };
}

/** The change of an email address that can be undone. */
export function undoableChange(user: User, changeId: string, at: number): FormerAddress | undefined {
  return user.formerAddresses?.find(
    (each) => each.changeId === changeId && each.attribute === 'email' && !each.isFinal && each.until > at,
  );
}

/**
 * The user with the former address of a change again, which its owner has just proven. Later changes cannot be undone any
 * more: they may be an attacker's. Nor can this undo.
 */
export function withFormerAddress(user: User, change: FormerAddress, at: number): User {
  // Who changed the address may have asked for a recovery too, or deleted the account.
  const { recovery: _, erasure: __, ...rest } = user;
  const email: Address = { value: change.value, verified: true, ...secondAtOf(change) };
  const restored: User = { ...rest, email, updatedAt: at };
  const changes = user.formerAddresses ?? [];
  const earlier = changes.filter(
    ({ attribute }, index) => attribute !== 'email' || index < changes.indexOf(change),
  );
  const replaced = leftBehind(user, restored).map((address) => formerAddress(address, at, true));
  return { ...restored, formerAddresses: [...earlier, ...replaced] };
}
