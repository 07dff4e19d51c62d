const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Base64 or base64url, padded or not, as base64url without padding. Undefined for anything else. */
export function asBase64url(text: unknown): string | undefined {
  if (typeof text !== 'string' || !BASE64.test(text)) return undefined;
  return Buffer.from(text, 'base64').toString('base64url');
}

/** Standard base64 with padding, for binary fields of authenticator options. */
export function asBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
