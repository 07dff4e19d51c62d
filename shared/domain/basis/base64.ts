const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Converts base64 or base64url, padded or not, to base64url without padding. Returns undefined for anything else. */
export function toBase64url(text: unknown): string | undefined {
  if (typeof text !== 'string' || !BASE64.test(text)) return undefined;
  return Buffer.from(text, 'base64').toString('base64url');
}

/** Converts base64url to padded standard base64, which binary fields of authenticator options require. */
export function toBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
