import type { AddressType } from '../records/channels.ts';
import { oneLine } from './html.ts';

const HIDDEN = '•••';

/** `d•••@e•••.com`: the owner recognises it, a bystander cannot write to it. Hides the lengths too. */
export function maskEmail(address: string): string {
  const line = oneLine(address);
  const at = line.lastIndexOf('@');
  if (at < 1) return HIDDEN;
  const domain = line.slice(at + 1);
  const ending = /\.[\p{L}\p{N}-]+$/u.exec(domain)?.[0] ?? '';
  return `${first(line)}${HIDDEN}@${first(domain)}${HIDDEN}${ending}`;
}

/** `••• ••• ••23`: the last two digits. */
export function maskPhoneNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '');
  return `${HIDDEN} ${HIDDEN} ••${digits.length > 4 ? digits.slice(-2) : '••'}`;
}

/** Masks by type of address. */
export const masks: Readonly<Record<AddressType, (address: string) => string>> = {
  email: maskEmail,
  phone_number: maskPhoneNumber,
};

/** An address or a number; a name that is neither stays. */
export function maskAddress(value: string): string {
  if (value.includes('@')) return maskEmail(value);
  return /^\+\d/.test(value) ? maskPhoneNumber(value) : value;
}

/** `d•••`, for a name that is no address. */
export function maskName(name: string): string {
  return `${first(oneLine(name))}${HIDDEN}`;
}

function first(text: string): string {
  const [character = ''] = text;
  return /[\p{L}\p{N}]/u.test(character) ? character : '•';
}
