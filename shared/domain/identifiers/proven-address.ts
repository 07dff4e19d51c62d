import type { Tenant } from '../../ports/directory.ts';
import type { ProvenAddress, User } from '../../ports/people.ts';
import { normaliseEmail } from './email-address.ts';
import { identifierHash } from './identifier-hash.ts';

/** Hash of the user's own email address; what a credential was delivered to is kept as such a hash. */
export function ownEmailHash(tenant: Tenant, user: User): string | undefined {
  const email = user.email && normaliseEmail(user.email.value);
  return email && identifierHash(tenant, { type: 'email', value: email.key });
}

/** Hash of the user's own phone number, which is stored in E.164. */
export function ownPhoneHash(tenant: Tenant, user: User): string | undefined {
  return user.phoneNumber && identifierHash(tenant, { type: 'phone_number', value: user.phoneNumber.value });
}

/** Which address of the user a credential proves: the one that it was delivered to, if it still is the user's. */
export function provenAddress(
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
): ProvenAddress | undefined {
  if (deliveredToHash === undefined) return undefined;
  if (user.email && ownEmailHash(tenant, user) === deliveredToHash)
    return { attribute: 'email', value: user.email.value };
  if (user.phoneNumber && ownPhoneHash(tenant, user) === deliveredToHash)
    return { attribute: 'phoneNumber', value: user.phoneNumber.value };
  return undefined;
}

/** Whether a hash is that of the user's own number, and the number is reported at risk. */
export function isAtRisk(tenant: Tenant, user: User, hash: string | undefined): boolean {
  return user.phoneNumber?.risk !== undefined && hash !== undefined && ownPhoneHash(tenant, user) === hash;
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
