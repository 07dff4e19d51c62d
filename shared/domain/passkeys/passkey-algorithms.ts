/** COSE identifiers of ES256, EdDSA and RS256. Every authenticator supports at least one of them (WebAuthn L3 §5.4). */
export const PASSKEY_ALGORITHMS = [-7, -8, -257];
