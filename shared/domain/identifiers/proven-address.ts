import type { Tenant } from '../../ports/directory.ts';
import type { ProvenAddress, User } from '../../ports/people.ts';
import { type AddressType, addressTypes } from '../../records/channels.ts';
import { identifierHash } from './identifier-hash.ts';
import { listAddresses, storedIdentifier } from './stored-address.ts';

/**
 * Returns the hash of the user's email address or phone number. Credentials store the hash of the address that they were sent
 * to.
 */
export function ownHash(tenant: Tenant, user: User, type: AddressType): string | undefined {
  const { [addressTypes[type].attribute]: address } = user;
  const identifier = address && storedIdentifier(type, address.value);
  return identifier && identifierHash(tenant, identifier);
}

/**
 * Returns the address that a credential proves: the address to which the credential was delivered, if the user still has it.
 */
export function provenAddress(
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
): ProvenAddress | undefined {
  if (deliveredToHash === undefined) return undefined;
  const own = listAddresses(user).find(({ type }) => ownHash(tenant, user, type) === deliveredToHash);
  return own && { attribute: own.attribute, value: own.address.value };
}

/** Returns true if the hash belongs to the user's own phone number and a risk was reported for this number. */
export function isAtRisk(tenant: Tenant, user: User, hash: string | undefined): boolean {
  return user.phoneNumber?.risk !== undefined && ownHash(tenant, user, 'phone_number') === hash;
}

/**
 * Returns true if a credential may still log the user in. Returns false if the user no longer has the credential's address (a
 * lost mailbox, a sold number), or if a risk was reported for its phone number.
 */
export function isStillReachable(tenant: Tenant, user: User, deliveredToHash: string | undefined): boolean {
  if (deliveredToHash === undefined) return true;
  return (
    provenAddress(tenant, user, deliveredToHash) !== undefined && !isAtRisk(tenant, user, deliveredToHash)
  );
}
