import { invalidInput } from '../../errors/service-error.ts';
import type { Address, AddressFields, User } from '../../ports/people.ts';
import type { Generations } from '../../ports/trust.ts';
import type { Field } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { readEmail, requireMailable } from '../identifiers/email-address.ts';
import { normalisePhoneNumber } from '../identifiers/phone-number.ts';
import { formerOf } from './changes.ts';
import { added, claimed, FIRST, isCurrent, isUnproven, stated, TENANT, todays } from './generations.ts';

/**
 * How addresses come to a user: with a new user, by a backend without a login of the person, by an operator below admin, or in a
 * login that gave so much. An admin, or a backend that may, says of an address that it is proven.
 */
export type ChangedBy =
  | { readonly how: 'made' | 'backend'; readonly scope: string }
  | { readonly how: 'operator'; readonly scope: string; readonly opensAt: number }
  | ({ readonly how: 'login' } & Pick<Address, 'standing' | 'scope'>);

interface Changing {
  readonly by: ChangedBy;
  readonly at: number;
  readonly generations: Generations;
}

/** Another spelling is another address until it is proven: mailboxes may differ in case. */
function newAddress(
  value: string,
  isStated: boolean,
  back: Address | undefined,
  { by, at, generations }: Changing,
): { readonly address: Address; readonly generations: Generations } {
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  const given = { value, standing, scope: by.scope, since: at };
  // A mailbox that the user had proven, and gave up or spelled otherwise, has no new owner: by it and back its reader would shut
  // out the passkey.
  if (by.how === 'backend' && !isStated && back) {
    const { scope, generation } = back;
    const opensAt = back.standing === 'claimed' ? back.opensAt : undefined;
    return { address: omitUndefined<Address>({ ...given, scope, generation, opensAt }), generations };
  }
  if (by.how === 'made') return { address: { ...given, generation: FIRST }, generations };
  // What an operator sets joins what is proven, later than at once. Before any proof it is like what a backend sets.
  const joins = isStated || by.how === 'login' || (by.how === 'operator' && !isUnproven({ generations }));
  const { generation, ...next } = (joins ? added : claimed)(isStated ? stated(generations) : generations);
  const withheld = by.how === 'operator' ? { opensAt: by.opensAt } : {};
  return { address: { ...given, generation, ...withheld }, generations: next };
}

/** An address that is given again is no longer undeliverable, but a number stays at risk. */
function sameAddress(
  user: User,
  current: Address,
  isStated: boolean,
  { by, at, generations }: Changing,
): { readonly address: Address; readonly generations: Generations } {
  const { undeliverable: _, ...address } = current;
  const standing = isStated ? 'proven' : by.how === 'login' ? by.standing : 'claimed';
  if (standing === 'claimed') return { address, generations };
  const next = isStated ? stated(generations) : generations;
  const counts = isCurrent({ generations: next }, address);
  // One application's word takes nothing from what the tenant has seen.
  const scope = counts && address.standing === 'proven' && address.scope === TENANT ? TENANT : by.scope;
  const generation = counts ? address.generation : todays(user);
  return { address: { ...address, standing, scope, generation, since: at }, generations: next };
}

const STATED = { email: 'email_verified', phoneNumber: 'phone_number_verified' } as const;

interface Given {
  readonly attribute: keyof typeof STATED;
  readonly given: Field<string>;
  readonly isStated: boolean;
}

/** The address after a change, and the generations with it. Errors: `system_invalid_input` for what is said of none. */
function changedAddress(
  user: User,
  current: Address | undefined,
  { attribute, given, isStated }: Given,
  changing: Changing,
): { readonly address: Address | undefined; readonly generations: Generations } {
  const { generations } = changing;
  if (given === undefined && !isStated) return { address: current, generations };
  const value = given === undefined ? current?.value : (given ?? undefined);
  if (value === undefined && isStated)
    throw invalidInput(`${STATED[attribute]}: the user has no such address`);
  if (value === undefined) return { address: undefined, generations };
  if (attribute === 'email' && current?.value !== value) requireMailable('email', value);
  return current?.value === value
    ? sameAddress(user, current, isStated, changing)
    : newAddress(value, isStated, formerOf(user, attribute, value), changing);
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

const read = <T>(given: Field<T>, as: (given: T) => T): Field<T> =>
  given === undefined || given === null ? given : as(given);

/** The user with the given addresses in place of the former ones. Errors: `system_invalid_input`. */
export function userWithAddresses(user: User, fields: AddressFields, at: number, by: ChangedBy): User {
  const { email_verified = false, phone_number_verified = false } = fields;
  const mail = changedAddress(
    user,
    user.email,
    { attribute: 'email', given: read(fields.email, readEmailValue), isStated: email_verified },
    { by, at, generations: user.generations },
  );
  const phone = changedAddress(
    user,
    user.phoneNumber,
    {
      attribute: 'phoneNumber',
      given: read(fields.phone_number, readPhoneNumber),
      isStated: phone_number_verified,
    },
    { by, at, generations: mail.generations },
  );
  return omitUndefined<User>({
    ...user,
    generations: phone.generations,
    email: mail.address,
    phoneNumber: phone.address,
    updatedAt: at,
  });
}
