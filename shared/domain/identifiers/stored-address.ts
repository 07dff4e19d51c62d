import type { Address, Identifier, User } from '../../ports/people.ts';
import {
  ADDRESS_TYPES,
  type AddressAttribute,
  type AddressType,
  addressTypes,
} from '../../records/channels.ts';
import { normaliseEmail } from './email-address.ts';

// Addresses in user records. Phone numbers are stored in E.164, so functions that only compare them do not bundle the phone
// number library.

const NORMAL: Readonly<Record<AddressType, (stored: string) => string | undefined>> = {
  email: (stored) => normaliseEmail(stored)?.key,
  phone_number: (stored) => stored,
};

/** Returns the identifier of a stored address. Returns undefined if the address is invalid. */
export function storedIdentifier(type: AddressType, stored: string): Identifier | undefined {
  const value = NORMAL[type](stored);
  return value === undefined ? undefined : { type, value };
}

/** Address of a user, with its type and the field that holds it. */
export interface OwnAddress {
  readonly type: AddressType;
  readonly attribute: AddressAttribute;
  readonly address: Address;
}

export const listAddresses = (user: Pick<User, AddressAttribute>): readonly OwnAddress[] =>
  ADDRESS_TYPES.flatMap((type) => {
    const { attribute } = addressTypes[type];
    const { [attribute]: address } = user;
    return address ? [{ type, attribute, address }] : [];
  });
