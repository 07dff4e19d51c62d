// Trust in addresses that a request sets or changes.
import { invalidInput } from '../../errors/service-error.ts';
import type { Address, AddressFields, User } from '../../ports/people.ts';
import type { Generations } from '../../ports/trust.ts';
import {
  ADDRESS_TYPES,
  type AddressAttribute,
  type AddressType,
  addressTypes,
} from '../../records/channels.ts';
import type { FieldChange } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { readEmail, requireMailable } from '../identifiers/email-address.ts';
import { normalisePhoneNumber } from '../identifiers/phone-number.ts';
import { findFormerAddress } from './changes.ts';
import {
  acceptInitialAddresses,
  addGeneration,
  currentGeneration,
  FIRST_GENERATION,
  hasNothingProven,
  hasValidGeneration,
  reserveGeneration,
  TENANT_WIDE,
} from './generations.ts';

/**
 * Circumstances in which an address is set. `made`: with a new user. `backend`: by a backend without a login of the user.
 * `operator`: by a non-admin operator; the address cannot log in without another factor before `delayedUntil` (epoch seconds).
 * `login`: in a login, which determines the trust of the address and where it is valid. Admins and clients with `users:verify`
 * may also state that an address is proven.
 */
export type AddressChangeSource =
  | { readonly how: 'made' | 'backend'; readonly scope: string }
  | { readonly how: 'operator'; readonly scope: string; readonly delayedUntil: number }
  | ({ readonly how: 'login' } & Pick<Address, 'standing' | 'scope'>);

/** Circumstances and time of an address change, with the user's credential generations. */
interface AddressChange {
  readonly by: AddressChangeSource;
  readonly at: number;
  readonly generations: Generations;
}

/**
 * Returns an address with a new value, and the user's new credential generations. Another spelling of an address counts as a
 * new value until it is proven, because two mailboxes may differ only in case.
 *
 * @param back Address that the user has or had in another spelling, if any.
 */
function newAddress(
  value: string,
  isStated: boolean,
  back: Address | undefined,
  { by, at, generations }: AddressChange,
): { readonly address: Address; readonly generations: Generations } {
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  const given = { value, standing, scope: by.scope, since: at };
  // A mailbox that the user had proven, and then removed or spelled differently, has no new owner and gets no new generation.
  // Otherwise, an attacker who reads the mailbox could change the address to another one and back, and so supersede the user's
  // passkey.
  if (by.how === 'backend' && !isStated && back) {
    const { scope, generation } = back;
    const delayedUntil = back.standing === 'claimed' ? back.delayedUntil : undefined;
    return { address: omitUndefined<Address>({ ...given, scope, generation, delayedUntil }), generations };
  }
  if (by.how === 'made') return { address: { ...given, generation: FIRST_GENERATION }, generations };
  // An address that an operator sets becomes valid in addition to the proven ones, after a delay. If nothing is proven yet, the
  // address is treated like one that a backend sets.
  const joins =
    isStated || by.how === 'login' || (by.how === 'operator' && !hasNothingProven({ generations }));
  const { generation, ...next } = (joins ? addGeneration : reserveGeneration)(
    isStated ? acceptInitialAddresses(generations) : generations,
  );
  const withheld = by.how === 'operator' ? { delayedUntil: by.delayedUntil } : {};
  return { address: { ...given, generation, ...withheld }, generations: next };
}

/**
 * Handles an address that is set again to its current value. Returns the address and the user's credential generations. The
 * address is no longer marked as undeliverable, but a risk reported for a phone number is kept.
 */
function sameAddress(
  user: User,
  current: Address,
  isStated: boolean,
  { by, at, generations }: AddressChange,
): { readonly address: Address; readonly generations: Generations } {
  const { undeliverable: _, ...address } = current;
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  if (standing === 'claimed') return { address, generations };
  const next = isStated ? acceptInitialAddresses(generations) : generations;
  const counts = hasValidGeneration({ generations: next }, address);
  // A client of one application cannot restrict an address that is proven tenant-wide to its own application.
  const scope =
    counts && address.standing === 'proven' && address.scope === TENANT_WIDE ? TENANT_WIDE : by.scope;
  const generation = counts ? address.generation : currentGeneration(user);
  return { address: { ...address, standing, scope, generation, since: at }, generations: next };
}

interface RequestedAddress {
  readonly type: AddressType;
  readonly given: FieldChange<string>;
  /** True if the caller states that the address is verified. */
  readonly isStated: boolean;
}

/** Applies a change to an address. Errors: `system_invalid_input` if the caller declares an absent address verified. */
function changedAddress(
  user: User,
  { type, given, isStated }: RequestedAddress,
  changing: AddressChange,
): { readonly address: Address | undefined; readonly generations: Generations } {
  const { generations } = changing;
  const { attribute } = addressTypes[type];
  const { [attribute]: current } = user;
  if (given === undefined && !isStated) return { address: current, generations };
  const value = given === undefined ? current?.value : (given ?? undefined);
  if (value === undefined && isStated) throw invalidInput(`${type}_verified: the user has no such address`);
  if (value === undefined) return { address: undefined, generations };
  if (current?.value !== value) RULES[type].requireNew(type, value);
  return current?.value === value
    ? sameAddress(user, current, isStated, changing)
    : newAddress(value, isStated, findFormerAddress(user, attribute, value), changing);
}

function readEmailValue(given: string): string {
  const email = readEmail(given);
  if (!email) throw invalidInput('email: is not an email address');
  return email.display;
}

function readPhoneNumber(given: string): string {
  const phoneNumber = normalisePhoneNumber(given);
  if (phoneNumber === undefined)
    throw invalidInput('phone_number: is not an international phone number (E.164, as +12015550123)');
  return phoneNumber;
}

interface AddressRules {
  readonly read: (given: string) => string;
  /** Rejects a new address that cannot receive messages. Stored addresses are not checked. */
  readonly requireNew: (field: string, value: string) => void;
}

const RULES: Readonly<Record<AddressType, AddressRules>> = {
  email: { read: readEmailValue, requireNew: requireMailable },
  phone_number: { read: readPhoneNumber, requireNew: () => {} },
};

/** Returns the user with the addresses of a request, as of `at` (epoch seconds). Errors: `system_invalid_input`. */
export function applyAddressFields(
  user: User,
  fields: AddressFields,
  at: number,
  by: AddressChangeSource,
): User {
  let { generations } = user;
  const addresses: Partial<Record<AddressAttribute, Address | undefined>> = {};
  for (const type of ADDRESS_TYPES) {
    const { [type]: text, [`${type}_verified` as const]: isStated = false } = fields;
    const given = text === undefined || text === null ? text : RULES[type].read(text);
    const changed = changedAddress(user, { type, given, isStated }, { by, at, generations });
    generations = changed.generations;
    addresses[addressTypes[type].attribute] = changed.address;
  }
  return omitUndefined<User>({ ...user, generations, ...addresses, updatedAt: at });
}
