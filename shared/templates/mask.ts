import type { AddressType } from '../records/channels.ts';
import { oneLine } from './html.ts';

const HIDDEN = '•••';

/**
 * Masks an email address as `d•••@e•••.com`. Its owner recognises the masked address, but other people can neither write to the
 * address nor see the lengths of its parts.
 */
export function maskEmail(address: string): string {
  const line = oneLine(address);
  const at = line.lastIndexOf('@');
  if (at < 1) return HIDDEN;
  const domain = line.slice(at + 1);
  const ending = /\.[\p{L}\p{N}-]+$/u.exec(domain)?.[0] ?? '';
  return `${first(line)}${HIDDEN}@${first(domain)}${HIDDEN}${ending}`;
}

/** Masks a phone number as `••• ••• ••23`, which shows only the last two digits. */
export function maskPhoneNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  return `${HIDDEN} ${HIDDEN} ••${digits.length > 4 ? digits.slice(-2) : '••'}`;
}

/** Functions that mask an email address or phone number, by the type of the address. */
export const masks: Readonly<Record<AddressType, (address: string) => string>> = {
  email: maskEmail,
  phone_number: maskPhoneNumber,
};

/** Masks an email address or a phone number. Returns any other text, such as a name, unchanged. */
export function maskAddress(value: string): string {
  if (value.includes('@')) return maskEmail(value);
  return /^\+\d/.test(value) ? maskPhoneNumber(value) : value;
}

/** Masks a name that is not an email address as `d•••`. */
export function maskName(name: string): string {
  return `${first(oneLine(name))}${HIDDEN}`;
}

function first(text: string): string {
  const [character = ''] = text;
  return /[\p{L}\p{N}]/u.test(character) ? character : '•';
}
