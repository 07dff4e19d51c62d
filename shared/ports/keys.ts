/** Keys that never leave AWS KMS. */

export interface Signer {
  /** Signs a SHA-256 digest with the key of that ARN; returns the JWS form of the signature (RFC 7518 §3). */
  sign(
    key: { readonly keyArn: string; readonly alg: 'RS256' | 'ES256' },
    digest: Uint8Array,
  ): Promise<Uint8Array>;
}

export interface CodeMac {
  /** MAC under the service's HMAC key, base64url. Without the key a table of one million codes cannot be tried. */
  mac(message: string): Promise<string>;
}
