import { ServiceError } from '../errors/service-error.ts';
import type { Tenant } from '../ports/directory.ts';
import type { User } from '../ports/people.ts';
import { normaliseEmail } from './email-address.ts';
import { identifierHash, normaliseIdentifier } from './identifier.ts';
import { normalisePhoneNumber } from './phone-number.ts';

/** Where a message goes. */
export interface Recipient {
  readonly address: string;
  /** Hash of the address when it is the user's own: only then does the answer verify it. */
  readonly ownHash?: string;
}

function ownAddress(tenant: Tenant, type: 'email' | 'phone_number', address: string): Recipient {
  const identifier = normaliseIdentifier(type, address);
  return { address, ...(identifier ? { ownHash: identifierHash(tenant, identifier) } : {}) };
}

/** The alternative address that a caller asked for, in its normal form. Errors: `system_invalid_input`. */
export function readCustomEmail(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const email = normaliseEmail(given);
  if (!email)
    throw new ServiceError('system_invalid_input', { message: 'custom_email: is not a valid email address' });
  return email.display;
}

/** The alternative number that a caller asked for, in E.164. Errors: `system_invalid_input`. */
export function readCustomPhoneNumber(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const number = normalisePhoneNumber(given);
  if (number === undefined)
    throw new ServiceError('system_invalid_input', {
      message: 'custom_phone_number: is not a valid phone number in international form',
    });
  return number;
}

/** Errors: `user_email_address_missing`. */
export function emailRecipient(tenant: Tenant, user: User, custom?: string): Recipient {
  if (custom !== undefined) return { address: custom };
  if (!user.email) throw new ServiceError('user_email_address_missing');
  return ownAddress(tenant, 'email', user.email.value);
}

/** Errors: `user_phone_number_missing`. */
export function phoneRecipient(tenant: Tenant, user: User, custom?: string): Recipient {
  if (custom !== undefined) return { address: custom };
  if (!user.phoneNumber) throw new ServiceError('user_phone_number_missing');
  return ownAddress(tenant, 'phone_number', user.phoneNumber.value);
}

/** Which address of the user a credential proves, if it was delivered to it and it still is the user's. */
export function provenAddress(
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
): { readonly attribute: 'email' | 'phoneNumber'; readonly value: string } | undefined {
  if (deliveredToHash === undefined) return undefined;
  const candidates = [
    { attribute: 'email', type: 'email', value: user.email?.value },
    { attribute: 'phoneNumber', type: 'phone_number', value: user.phoneNumber?.value },
  ] as const;
  for (const { attribute, type, value } of candidates) {
    const own = value !== undefined && ownAddress(tenant, type, value).ownHash === deliveredToHash;
    if (own) return { attribute, value };
  }
  return undefined;
}

/**
 * Stores a credential and delivers it, side by side. What could not be delivered is revoked before the answer: nobody
 * has it, and it must not stand in the way of the next one.
 */
export async function storeAndDeliver(steps: {
  readonly store: () => Promise<void>;
  readonly deliver: () => Promise<void>;
  readonly revoke: () => Promise<void>;
}): Promise<void> {
  const [stored, delivered] = await Promise.allSettled([steps.store(), steps.deliver()]);
  if (delivered.status === 'rejected') {
    if (stored.status === 'fulfilled') await steps.revoke();
    throw delivered.reason;
  }
  if (stored.status === 'rejected') throw stored.reason;
}
