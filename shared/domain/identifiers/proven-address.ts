import type { Tenant } from '../../ports/directory.ts';
import type { ProvenAddress, User } from '../../ports/people.ts';
import { type AddressType, addressTypes } from '../../records/channels.ts';
import { identifierHash } from './identifier-hash.ts';
import { addressesOf, storedIdentifier } from './stored-address.ts';

/** Returns the hash of the user's own address of a type. Credentials keep such a hash of the address that they were sent to. */
export function ownHash(tenant: Tenant, user: User, type: AddressType): string | undefined {
  const { [addressTypes[type].attribute]: address } = user;
  const identifier = address && storedIdentifier(type, address.value);
  return identifier && identifierHash(tenant, identifier);
}

/** Which address of the user a credential proves: the one that it was delivered to, if it still is the user's. */
export function provenAddress(
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
): ProvenAddress | undefined {
  if (deliveredToHash === undefined) return undefined;
  const own = addressesOf(user).find(({ type }) => ownHash(tenant, user, type) === deliveredToHash);
  return own && { attribute: own.attribute, value: own.address.value };
}

/** Whether a hash is that of the user's own number, and the number is reported at risk. */
export function isAtRisk(tenant: Tenant, user: User, hash: string | undefined): boolean {
  return (
    user.phoneNumber?.risk !== undefined &&
    hash !== undefined &&
    ownHash(tenant, user, 'phone_number') === hash
  );
}

/**
 * Whether a credential may still log the user in. Not if the user has given up the address since (a lost mailbox, a sold
 * number), or the number is at risk.
 */
export function isStillReachable(tenant: Tenant, user: User, deliveredToHash: string | undefined): boolean {
  if (deliveredToHash === undefined) return true;
  return (
    provenAddress(tenant, user, deliveredToHash) !== undefined && !isAtRisk(tenant, user, deliveredToHash)
  );
}
