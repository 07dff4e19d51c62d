import type { ProvenAddress, ProvenBefore, User } from '../../ports/people.ts';
import { FORMER_ADDRESS_SECONDS } from '../basis/limits.ts';
import { normaliseEmail } from './email-address.ts';
import { reachesOwner, secondAtOf } from './former-addresses.ts';

/**
 * An address that the user gives up and gets back has no new owner. Its proof is no first one, or the reader of a mailbox could
 * put the passkey of its owner to sleep by a change of the address and back.
 */

type Attribute = ProvenAddress['attribute'];

/** Another spelling of an email address is the same mailbox. */
const placeOf = (attribute: Attribute, value: string | undefined) =>
  attribute === 'email' && value !== undefined ? normaliseEmail(value)?.key : value;

const isPlace = ({ attribute, value }: ProvenBefore, user: User): boolean =>
  placeOf(attribute, value) === placeOf(attribute, user[attribute]?.value);

/** No other was proven since, outside of the user's own sessions. */
const isCurrent = ({ wokenAt = 0 }: ProvenBefore, { asleepBefore = 0 }: User): boolean =>
  wokenAt === asleepBefore;

/** What a change `at` (epoch seconds) leaves to remember: of each kind the last address that was proven. */
export function rememberProven(
  before: User,
  changed: Pick<User, Attribute>,
  at: number,
): readonly ProvenBefore[] | undefined {
  const { asleepBefore, provenBefore = [] } = before;
  const all = (['email', 'phoneNumber'] as const).flatMap((attribute): readonly ProvenBefore[] => {
    const address = before[attribute];
    const kept = provenBefore.filter((each) => each.attribute === attribute && isCurrent(each, before));
    if (address?.value === changed[attribute]?.value) return kept;
    if (!address || !reachesOwner(address))
      return kept.filter((each) => each.until > at || isPlace(each, before));
    if ((address.wokenAt ?? 0) < (asleepBefore ?? 0)) return [];
    const until = at + FORMER_ADDRESS_SECONDS;
    return [
      {
        attribute,
        value: address.value,
        until,
        ...(asleepBefore !== undefined && { wokenAt: asleepBefore }),
        ...secondAtOf(address),
      },
    ];
  });
  return all.length === 0 ? undefined : all;
}

function provenBeforeOf(user: User, attribute: Attribute): ProvenBefore | undefined {
  return user.provenBefore?.find(
    (each) => each.attribute === attribute && isCurrent(each, user) && isPlace(each, user),
  );
}

/** Whether the user has proven their unproven address before, and no other since. */
export function wasProvenBefore(user: User, attribute: Attribute): boolean {
  return provenBeforeOf(user, attribute) !== undefined;
}

/** The user with the limits that addresses had when they were given up. */
export function withFormerLimits(user: User): User {
  const limited = (attribute: Attribute) => {
    const address = user[attribute];
    const before = address?.verified === false ? provenBeforeOf(user, attribute) : undefined;
    return before && { [attribute]: { ...address, ...secondAtOf(before) } };
  };
  return { ...user, ...limited('email'), ...limited('phoneNumber') };
}
