import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { PhoneRisk, Undeliverable, User } from '../../ports/people.ts';
import type { AddressType, Channel } from '../../records/channels.ts';
import { normaliseEmail, readEmail, requireMailable } from '../identifiers/email-address.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { maySend } from '../identifiers/may-send.ts';
import { normalisePhoneNumber, type SmsCountries } from '../identifiers/phone-number.ts';
import { ownHash } from '../identifiers/proven-address.ts';
import { requirePhoneNumber } from '../users/phone-risk.ts';

/** Where a message goes. */
export interface Recipient {
  readonly address: string;
  /** Hash of the user's own address: only that is verified by the code that comes back. */
  readonly ownHash?: string;
  /** Mail to it bounced, or was reported as spam. */
  readonly undeliverable?: Undeliverable;
  /** Hash of a number that the caller gave in place of the user's own. */
  readonly alternativeHash?: string;
  /** Others may read texts to this number. */
  readonly risk?: PhoneRisk;
  /** The user's own, as a tag of RFC 5646. */
  readonly language?: string;
  /** A test user: the code is kept for who may read it, and nothing is sent, wherever to. */
  readonly testUserId?: string;
}

const CAUSES: Readonly<Record<Undeliverable['reason'], string>> = {
  bounce: 'mail to it came back',
  complaint: 'its owner has reported mail to it as spam',
};

/**
 * Mail to a dead address costs the sender's reputation, and with it the mail of all other users. A text to a number at risk
 * hands the code to an attacker. The message tells the operator what to do.
 * Errors: `recipient_unreachable`.
 */
export function requireDeliverable({ undeliverable, risk }: Recipient): void {
  if (risk)
    throw new ServiceError('recipient_unreachable', {
      message: `The phone number is at risk (${risk.signal}): use another method, change it, or clear the signal`,
      audit: { refusal: 'number_at_risk' },
    });
  if (undeliverable)
    throw new ServiceError('recipient_unreachable', {
      message: `The email address takes no mail: ${CAUSES[undeliverable.reason]}. Change it, or give it again to try it again`,
      audit: { refusal: undeliverable.reason === 'bounce' ? 'mail_bounced' : 'mail_complaint' },
    });
}

function withHash(address: string, ownHash: string | undefined): Recipient {
  return { address, ...(ownHash === undefined ? {} : { ownHash }) };
}

export const testFacts = ({ isTest, userId }: User): Pick<Recipient, 'testUserId'> =>
  isTest ? { testUserId: userId } : {};

const userFacts = (user: User): Pick<Recipient, 'testUserId' | 'language'> => ({
  ...testFacts(user),
  ...(user.language === undefined ? {} : { language: user.language }),
});

/** A link is read by no one but the mailbox. Errors: `recipient_unreachable`. */
export function requireLinkable({ testUserId }: Recipient): void {
  if (testUserId !== undefined)
    throw new ServiceError('recipient_unreachable', {
      message: 'A test user gets no mail: use a passcode',
      audit: { refusal: 'test_user' },
    });
}

/** Check before any look-up. Errors: `recipient_unreachable`, because the operator can change the list and the caller cannot. */
export function requireMaySend(settings: SmsCountries, channel: Channel, to: string): void {
  if (!maySend(settings, channel, to))
    throw new ServiceError('recipient_unreachable', {
      message: 'SMS are not sent to the country of this phone number',
      audit: { refusal: 'country' },
    });
}

/** The alternative address that the caller gave, in its normal form. Errors: `system_invalid_input`. */
export function readCustomEmail(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const email = readEmail(given);
  if (!email) throw invalidInput('custom_email: is not a valid email address');
  requireMailable('custom_email', email.display);
  return email.display;
}

/** The alternative number that the caller gave, in E.164. Errors: `system_invalid_input`. */
export function readCustomPhoneNumber(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const number = normalisePhoneNumber(given);
  if (number === undefined)
    throw invalidInput('custom_phone_number: is not a valid phone number in international form');
  return number;
}

/** Errors: `user_email_address_missing`, `recipient_unreachable` when mail to it bounced. */
export function emailRecipient(tenant: Tenant, user: User, custom?: string): Recipient {
  const { email } = user;
  if (email && (custom === undefined || normaliseEmail(custom)?.key === normaliseEmail(email.value)?.key))
    requireDeliverable({ address: email.value, ...email });
  if (custom !== undefined) return { address: custom, ...userFacts(user) };
  if (!email) throw new ServiceError('user_email_address_missing');
  return { ...withHash(email.value, ownHash(tenant, user, 'email')), ...userFacts(user) };
}

/** Errors: `user_phone_number_missing`, `recipient_unreachable` when the number is at risk. */
export function phoneRecipient(tenant: Tenant, user: User, custom?: string): Recipient {
  const { phoneNumber } = user;
  if (phoneNumber && (custom === undefined || custom === phoneNumber.value))
    requireDeliverable({ address: phoneNumber.value, ...phoneNumber });
  if (custom !== undefined) {
    const alternativeHash = identifierHash(tenant, { type: 'phone_number', value: custom });
    return { address: custom, alternativeHash, ...userFacts(user) };
  }
  return {
    ...withHash(requirePhoneNumber(user).value, ownHash(tenant, user, 'phone_number')),
    ...userFacts(user),
  };
}

/** Functions that find the recipient of a message: the user's own address of the type, or the one that the caller gave. */
export const recipientOf: Readonly<Record<AddressType, typeof phoneRecipient>> = {
  email: emailRecipient,
  phone_number: phoneRecipient,
};

/**
 * Stores a credential and delivers it, side by side. Before the answer, what was refused is undone. What may arrive stays good,
 * beside what it was to replace: the caller is told to try again, and the person may hold either.
 */
export async function storeAndDeliver<Replaced>(steps: {
  readonly store: () => Promise<Replaced>;
  readonly deliver: () => Promise<void>;
  readonly onRefused: (replaced: Replaced) => Promise<unknown>;
  readonly onUnknown?: (replaced: Replaced) => Promise<unknown>;
  /** Takes the error of the delivery in place of the caller. */
  readonly report?: ((error: unknown) => void) | undefined;
}): Promise<void> {
  const [stored, delivered] = await Promise.allSettled([steps.store(), steps.deliver()]);
  if (delivered.status === 'rejected') {
    const error: unknown = delivered.reason;
    const mayArrive = error instanceof ServiceError && error.detail.mayArrive;
    if (stored.status === 'fulfilled')
      await (mayArrive ? steps.onUnknown?.(stored.value) : steps.onRefused(stored.value));
    if (!steps.report) throw error;
    steps.report(error);
  }
  if (stored.status === 'rejected') throw stored.reason;
}
