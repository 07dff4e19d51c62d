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

export interface Recipient {
  readonly address: string;
  /** Hash of the user's own address. A correct code verifies only this address. */
  readonly ownHash?: string;
  /** Report of a bounce or spam complaint for the address. Absent without such a report. */
  readonly undeliverable?: Undeliverable;
  /** Hash of a phone number that the caller gave in place of the user's own. */
  readonly alternativeHash?: string;
  /** Reported risk that others can read text messages to this number. Absent without such a report. */
  readonly risk?: PhoneRisk;
  /** Language of the user as an RFC 5646 tag. */
  readonly language?: string;
  /**
   * ID of the test user, if the recipient is one. The code is stored for authorized readers, and no message is sent to any
   * address.
   */
  readonly testUserId?: string;
}

const CAUSES: Readonly<Record<Undeliverable['reason'], string>> = {
  bounce: 'mail to it bounced',
  complaint: 'its owner has reported mail to it as spam',
};

/**
 * Rejects a recipient whose mail bounces or whose phone number has a reported risk. Mail to a dead address harms the sender's
 * reputation and so the delivery of all other mail. A text message to a number at risk would give the code to an attacker. The
 * error tells the operator what to do. Throws `recipient_unreachable`.
 */
export function requireDeliverable({ undeliverable, risk }: Recipient): void {
  if (risk)
    throw new ServiceError('recipient_unreachable', {
      message: `The phone number is at risk (${risk.signal}): use another method, change it, or clear the signal`,
      audit: { refusal: 'number_at_risk' },
    });
  if (undeliverable)
    throw new ServiceError('recipient_unreachable', {
      message: `The email address takes no mail: ${CAUSES[undeliverable.reason]}. Change it, or set it again to retry`,
      audit: { refusal: undeliverable.reason === 'bounce' ? 'mail_bounced' : 'mail_complaint' },
    });
}

function withHash(address: string, ownHash: string | undefined): Recipient {
  return { address, ...(ownHash === undefined ? {} : { ownHash }) };
}

export const toTestUserFields = ({ isTest, userId }: User): Pick<Recipient, 'testUserId'> =>
  isTest ? { testUserId: userId } : {};

const userFacts = (user: User): Pick<Recipient, 'testUserId' | 'language'> => ({
  ...toTestUserFields(user),
  ...(user.language === undefined ? {} : { language: user.language }),
});

/** Rejects test users: they get no mail, and a link can only be read in a mailbox. Throws `recipient_unreachable`. */
export function requireLinkable({ testUserId }: Recipient): void {
  if (testUserId !== undefined)
    throw new ServiceError('recipient_unreachable', {
      message: 'A test user gets no mail: use a passcode',
      audit: { refusal: 'test_user' },
    });
}

/**
 * Rejects a recipient in a country that this environment does not send to. Call this function before any look-up. Throws
 * `recipient_unreachable`, because an operator can change the list of countries and the caller cannot.
 */
export function requireMaySend(settings: SmsCountries, channel: Channel, to: string): void {
  if (!maySend(settings, channel, to))
    throw new ServiceError('recipient_unreachable', {
      message: 'SMS are not sent to the country of this phone number',
      audit: { refusal: 'country' },
    });
}

/** Reads the alternative email address that the caller gave. Throws `system_invalid_input`. */
export function readCustomEmail(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const email = readEmail(given);
  if (!email) throw invalidInput('custom_email: is not a valid email address');
  requireMailable('custom_email', email.display);
  return email.display;
}

/** Reads the alternative phone number that the caller gave, and returns it in E.164. Throws `system_invalid_input`. */
export function readCustomPhoneNumber(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const number = normalisePhoneNumber(given);
  if (number === undefined)
    throw invalidInput('custom_phone_number: is not a valid phone number in international form');
  return number;
}

/**
 * Returns the recipient of an email: the user, or the alternative address. Throws `user_email_address_missing`, or
 * `recipient_unreachable` if mail to the address bounced.
 */
export function emailRecipient(tenant: Tenant, user: User, custom?: string): Recipient {
  const { email } = user;
  if (email && (custom === undefined || normaliseEmail(custom)?.key === normaliseEmail(email.value)?.key))
    requireDeliverable({ address: email.value, ...email });
  if (custom !== undefined) return { address: custom, ...userFacts(user) };
  if (!email) throw new ServiceError('user_email_address_missing');
  return { ...withHash(email.value, ownHash(tenant, user, 'email')), ...userFacts(user) };
}

/**
 * Returns the recipient of a text message: the user, or the alternative number. Throws `user_phone_number_missing`, or
 * `recipient_unreachable` if a risk was reported for the number.
 */
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

/**
 * Functions that return the recipient of a message, by address type. The recipient is the user's address or the one that the
 * caller gave.
 */
export const recipientReaders: Readonly<Record<AddressType, typeof phoneRecipient>> = {
  email: emailRecipient,
  phone_number: phoneRecipient,
};

/**
 * Stores a credential and delivers it, in parallel. If the delivery is rejected, storing is reverted before the response. If
 * the message may still arrive, the new and the replaced credential both stay valid: the caller is asked to try again, and the
 * user may receive either message.
 */
export async function storeAndDeliver<Replaced>(steps: {
  readonly store: () => Promise<Replaced>;
  readonly deliver: () => Promise<void>;
  readonly onRefused: (replaced: Replaced) => Promise<unknown>;
  readonly onUnknown?: (replaced: Replaced) => Promise<unknown>;
  /** Function that receives delivery errors. If it is given, these errors are not thrown. */
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
