import { domainToASCII } from 'node:url';
import { invalidInput } from '../../errors/service-error.ts';

/** RFC 5321 §4.5.3.1: octets of the local part, of the whole address (RFC 3696 erratum 1690), of one DNS label. */
const LOCAL_MAX_OCTETS = 64;
const ADDRESS_MAX_OCTETS = 254;

/** Controls, format characters (zero width, bidirectional marks), lone surrogates, spaces: two addresses that look alike. */
const INVISIBLE = /[\p{C}\p{Z}]/u;
/** RFC 5322 §3.2.3 dot-atom with the non-ASCII characters of RFC 6532. Quoted local parts are refused. */
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*$/u;
/** Of ASCII only what a host name may hold: `domainToASCII` would decode percent signs and read addresses of other forms. */
const DOMAIN = /^[a-zA-Z0-9.\-\u{80}-\u{10ffff}]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export interface EmailAddress {
  /** As it was given, trimmed and in NFC. */
  readonly display: string;
  /** What two spellings of one address share: lower case, domain in A-labels. Dots and plus signs of the local part count. */
  readonly key: string;
}

/** ASCII characters in the width of Japanese ones, as Japanese keyboards type them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
const ASCII_LOCAL_PART = /^[\x21-\x7e]+@/;

/**
 * Reads an address that a person or a backend has given: `ａnn＠example.com` is `ann@example.com`. Undefined when it is none. An
 * address that is stored, or that a provider says, is read by `normaliseEmail`: folded, it could be another person's.
 */
export const readEmail = (given: string): EmailAddress | undefined =>
  normaliseEmail(
    given.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET)),
  );

/** Returns true if SES can send to the address: it refuses local parts with characters outside ASCII. */
export const takesMail = (display: string): boolean => ASCII_LOCAL_PART.test(display);

/** Check where an address enters, and nowhere else: stored ones stay. Errors: `system_invalid_input`. */
export function requireMailable(field: string, display: string): void {
  if (!takesMail(display))
    throw invalidInput(`${field}: cannot get mail, because it has characters outside ASCII before the @`);
}

/**
 * Reads an address, or undefined when it is none. A caller that finds a user by `key` must write to the stored address,
 * never to the spelling of the request: mailboxes may differ in case.
 */
export function normaliseEmail(text: string): EmailAddress | undefined {
  if (text.length > 2 * ADDRESS_MAX_OCTETS) return undefined;
  const display = text.trim().normalize('NFC');
  if (INVISIBLE.test(display)) return undefined;
  const [local, domain, ...more] = display.split('@');
  if (local === undefined || domain === undefined || more.length > 0) return undefined;
  if (!LOCAL_PART.test(local)) return undefined;

  const localKey = local.toLowerCase().normalize('NFC');
  const domainKey = hostName(domain);
  if (domainKey === undefined) return undefined;
  const key = `${localKey}@${domainKey}`;
  if (octets(localKey) > LOCAL_MAX_OCTETS || octets(key) > ADDRESS_MAX_OCTETS) return undefined;
  return { display, key };
}

/** A host name of at least two labels in A-labels. An address literal or a number in place of a name is none. */
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
