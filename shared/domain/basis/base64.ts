const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The base64url form without padding of a text in base64 or base64url, padded or not; undefined for anything else. */
export function asBase64url(text: unknown): string | undefined {
  if (typeof text !== 'string' || !BASE64.test(text)) return undefined;
  return Buffer.from(text, 'base64').toString('base64url');
}

/** Standard base64 with padding, as the options for authenticators carry binary fields. */
export function asBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
