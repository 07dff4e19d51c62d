import { domainToASCII } from 'node:url';
import { oneLine } from '../html.ts';

const HEADER_MAX = 255;

/**
 * Prepares text for a header field. Truncates long text, because a word that cannot be folded must stay below 998 octets (RFC
 * 5322 §2.1.1). Splits text that looks like the start of an encoded word (RFC 2047 §2), because mail programs would decode it.
 */
export function headerText(text: string): string {
  const characters = Array.from(oneLine(text).replace(/=\?(?=[^\s?]+\?[bq]\?)/gi, '= ?'));
  return characters.length > HEADER_MAX
    ? `${characters.slice(0, HEADER_MAX - 1).join('')}…`
    : characters.join('');
}

/**
 * Converts the domain of an address to A-labels (RFC 5891), as SES requires. A domain that cannot be converted is kept, so that
 * SES rejects it.
 */
export function asciiDomain(address: string): string {
  const domain = readDomain(address);
  return `${address.slice(0, address.length - domain.length)}${domainToASCII(domain) || domain}`;
}

export function readDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
