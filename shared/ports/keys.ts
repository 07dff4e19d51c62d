import type { PublicJwk, ReadOptions, TokenAlgorithm } from './directory.ts';

/** Keys of AWS KMS. */

/** `next` is published before use, `current` signs, `previous` is still published for its last tokens. */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  /** An RSA key signs by PS256 too. */
  readonly alg: 'RS256' | 'ES256';
  readonly publicJwk: PublicJwk;
  /** The key of KMS that signs, or that the private key is sealed under. */
  readonly keyArn: string;
  /** Mode `kms-envelope`: the private key, which functions open with KMS once and keep. Absent: KMS signs each token. */
  readonly sealed?: SealedPrivateKey;
  readonly state: 'next' | 'current' | 'previous';
  readonly stateSince: number;
  /** Why the operator forced the step to this state before its time. */
  readonly forcedBecause?: string;
}

/** A private key (PKCS #8, DER) that KMS has made and encrypted. */
export interface SealedPrivateKey {
  /** Base64. */
  readonly ciphertext: string;
  /** What the ciphertext is bound to; KMS decrypts it with exactly this and no other. */
  readonly context: Readonly<Record<string, string>>;
}

export interface SigningKeys {
  list(options?: ReadOptions): Promise<readonly SigningKey[]>;
}

export interface SigningKeyRecords {
  list(): Promise<readonly SigningKey[]>;
  /** Refused (false) when a key of that `kid` exists. */
  put(key: SigningKey): Promise<boolean>;
  /** Moves a key from one state to another; false when it is not in `from` any more. */
  move(
    kid: string,
    from: SigningKey['state'],
    to: SigningKey['state'],
    step: { readonly at: number; readonly forcedBecause?: string | undefined },
  ): Promise<boolean>;
  /** False when it is not in `state` any more: a key that has begun to sign meanwhile must stay. */
  remove(kid: string, state: SigningKey['state']): Promise<boolean>;
}

export interface Signer {
  /**
   * Signs by `alg` with the key of that record, in the mode that the record has; returns the JWS form (RFC 7518 §3). The key
   * must be of the algorithm's kind.
   */
  sign(
    key: Pick<SigningKey, 'kid' | 'keyArn' | 'sealed'>,
    alg: TokenAlgorithm,
    message: Uint8Array,
  ): Promise<Uint8Array>;
}

/** DPoP nonces. Another key than that of codes: every operation of user tokens has it, and must not try passcodes. */
export interface NonceMac {
  /** MAC under a secret that all functions share, base64url. */
  mac(message: string): Promise<string>;
}

/** Passcodes. Without the key a table of one million codes cannot be tried. */
export interface CodeMac {
  /**
   * MAC under the key of that name, base64url: the same in all functions. No key of another name tells of it.
   * @param soon Names that may be asked for next, whose keys are made ready
   */
  mac(keyName: string, message: string, soon?: readonly string[]): Promise<string>;
}

export interface WebhookMac {
  /** MAC under the service's HMAC key, base64url. */
  mac(message: string): Promise<string>;
}
