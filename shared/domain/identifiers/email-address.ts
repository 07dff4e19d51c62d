import { domainToASCII } from 'node:url';
import { invalidInput } from '../../errors/service-error.ts';

// Maximum lengths: RFC 5321 §4.5.3.1 for the local part, RFC 3696 erratum 1690 for the whole address.
const LOCAL_MAX_OCTETS = 64;
const ADDRESS_MAX_OCTETS = 254;

/** Characters that make addresses look alike: control and zero-width characters, direction marks, lone surrogates, spaces. */
const INVISIBLE = /[\p{C}\p{Z}]/u;
/** Dot-atom of RFC 5322 §3.2.3 with the non-ASCII characters of RFC 6532. Quoted local parts are rejected. */
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*$/u;
/** Characters of a domain. ASCII is limited, because `domainToASCII` would decode percent signs and accept IP addresses. */
const DOMAIN = /^[a-zA-Z0-9.\-\u{80}-\u{10ffff}]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export interface EmailAddress {
  /** Address as the user or backend gave it, trimmed and in NFC. */
  readonly display: string;
  /**
   * Normalised form, which is equal for all spellings of an address: lower case, domain in A-labels. Dots and plus signs are
   * significant.
   */
  readonly key: string;
}

/** Full-width forms of ASCII characters, as Japanese keyboards type them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
const ASCII_LOCAL_PART = /^[\x21-\x7e]+@/;

/**
 * Reads an address from a user or a backend. Full-width characters are converted: `ａnn＠example.com` becomes `ann@example.com`.
 * Returns undefined if the address is invalid. Use `normaliseEmail` for stored addresses and addresses from providers, because
 * a converted address could be another person's.
 */
export const readEmail = (given: string): EmailAddress | undefined =>
  normaliseEmail(
    given.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET)),
  );

/** Returns true if SES can send to the address. SES rejects local parts with characters outside ASCII. */
export const canReceiveMail = (display: string): boolean => ASCII_LOCAL_PART.test(display);

/** Rejects a new address that SES cannot send to. Stored addresses are not checked again. Errors: `system_invalid_input`. */
export function requireMailable(field: string, display: string): void {
  if (!canReceiveMail(display))
    throw invalidInput(`${field}: cannot get mail, because it has characters outside ASCII before the @`);
}

/**
 * Normalises an email address. Returns undefined if it is invalid. Callers that find a user by `key` must send mail to the
 * stored address, never to the spelling of the request, because two mailboxes may differ only in case.
 */
export function normaliseEmail(text: string): EmailAddress | undefined {
  if (text.length > 2 * ADDRESS_MAX_OCTETS) return undefined;
  const display = text.trim().normalize('NFC');
  if (INVISIBLE.test(display)) return undefined;
  const [local = '', domain = '', ...more] = display.split('@');
  if (more.length > 0) return undefined;
  if (!LOCAL_PART.test(local)) return undefined;

  const localKey = local.toLowerCase().normalize('NFC');
  const domainKey = hostName(domain);
  if (domainKey === undefined) return undefined;
  const key = `${localKey}@${domainKey}`;
  if (octets(localKey) > LOCAL_MAX_OCTETS || octets(key) > ADDRESS_MAX_OCTETS) return undefined;
  return { display, key };
}

/** Returns an email domain in A-labels. Returns undefined if the domain has fewer than two labels or is an IP address. */
function hostName(domain: string): string | undefined {
  if (!DOMAIN.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined;
  return /[a-z]/.test(labels.at(-1) ?? '') ? ascii : undefined;
}

function octets(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
