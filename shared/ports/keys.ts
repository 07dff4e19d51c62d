// Keys in AWS KMS.
import type { PublicJwk, ReadOptions, TokenAlgorithm } from './directory.ts';

/**
 * Signing key of tokens. A `next` key is published before use, the `current` key signs, and a `previous` key stays published
 * until its last tokens expire.
 */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  /** Algorithm of the key. An RSA key also signs with PS256. */
  readonly alg: 'RS256' | 'ES256';
  readonly publicJwk: PublicJwk;
  /** ARN of the KMS key that signs, or that encrypts the private key. */
  readonly keyArn: string;
  /** Encrypted private key of the mode `kms-envelope`, which functions decrypt once. If undefined, KMS signs each token. */
  readonly sealed?: SealedPrivateKey;
  readonly state: 'next' | 'current' | 'previous';
  readonly stateSince: number;
  /** Reason that an operator gave for forcing the key into this state before the regular time. */
  readonly forcedBecause?: string;
}

/** Private key (PKCS #8, DER) that KMS generated and encrypted. */
export interface SealedPrivateKey {
  /** Encrypted private key, base64. */
  readonly ciphertext: string;
  /** Encryption context. KMS decrypts the private key only with exactly this context. */
  readonly context: Readonly<Record<string, string>>;
}

export interface SigningKeys {
  list(options?: ReadOptions): Promise<readonly SigningKey[]>;
}

export interface SigningKeyRecords {
  list(): Promise<readonly SigningKey[]>;
  /** Stores a new key. Returns false if a key with this `kid` exists. */
  put(key: SigningKey): Promise<boolean>;
  /** Moves a key from one state to another. Returns false if it is no longer in the state `from`. */
  move(
    kid: string,
    from: SigningKey['state'],
    to: SigningKey['state'],
    step: { readonly at: number; readonly forcedBecause?: string | undefined },
  ): Promise<boolean>;
  /** Removes a key. Returns false if it is no longer in `state`, because a key that has begun to sign must stay. */
  remove(kid: string, state: SigningKey['state']): Promise<boolean>;
}

export interface Signer {
  /**
   * Signs a message with the key: in KMS, or locally if the key has a sealed private key. The key type must match `alg`.
   * Returns the signature in JWS format (RFC 7518 §3).
   */
  sign(
    key: Pick<SigningKey, 'kid' | 'keyArn' | 'sealed'>,
    alg: TokenAlgorithm,
    message: Uint8Array,
  ): Promise<Uint8Array>;
}

/**
 * MAC for DPoP nonces. It has a separate key, because every operation that checks user tokens can use this key and must not be
 * able to test passcodes.
 */
export interface NonceMac {
  /** Returns the base64url-encoded MAC of the message, keyed with a secret that all functions share. */
  mac(message: string): Promise<string>;
}

/** MAC for passcodes. Without its key, an attacker with a stolen table cannot search the one million possible codes. */
export interface CodeMac {
  /**
   * Returns a MAC with the named key, base64url. All functions get the same result. Keys with different names are independent.
   * @param prefetch Names of keys that may be needed next. These keys are fetched in advance.
   */
  mac(keyName: string, message: string, prefetch?: readonly string[]): Promise<string>;
}

export interface WebhookMac {
  /** Returns a MAC with the service's HMAC key, base64url. */
  mac(message: string): Promise<string>;
}
