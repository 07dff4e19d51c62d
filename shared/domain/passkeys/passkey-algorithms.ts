/** ES256, EdDSA, RS256: what every authenticator has one of (WebAuthn L3 §5.4). COSE identifiers. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257];
