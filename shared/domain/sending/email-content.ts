import { invalidInput } from '../../errors/service-error.ts';

/** Image that is embedded in an email. It cannot load a URL or run a script. */
export interface Logo {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** Image types that `EmailContent` of the SPEC allows, with a check of the image's first bytes (one character per byte). */
const SIGNATURES: readonly (readonly [Logo['contentType'], (start: string) => boolean])[] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/gif', (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.endsWith('WEBP')],
];
const SIGNATURE_BYTES = 12;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads an image in raw base64. Returns undefined for other types, such as SVG. Only the bytes determine the type. */
export function readLogo(base64: string): Logo | undefined {
  if (!BASE64.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  const contentType = SIGNATURES.find(([, matches]) => matches(start))?.[0];
  return contentType && { contentType, bytes };
}

/** Reads the logo in a field of a request. Returns undefined for an empty string. Throws `system_invalid_input`. */
export function requireLogo(
  base64: string | undefined,
  field = 'email_content.base64logo',
): Logo | undefined {
  if (!base64) return undefined;
  if (/^\s*data:/i.test(base64))
    throw invalidInput(`${field}: must be raw base64, without a data URI prefix`);
  const logo = readLogo(base64);
  if (!logo) throw invalidInput(`${field}: must be the raw base64 of a PNG, JPEG, GIF or WebP image`);
  return logo;
}
