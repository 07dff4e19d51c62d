import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { SealedPrivateKey, SigningKey } from '../../ports/keys.ts';

/** Newly created or imported signing key: a KMS key, or a key pair made by KMS with an encrypted private key. */
export interface MadeKey {
  /** Public key in DER (SubjectPublicKeyInfo). */
  readonly spki: Uint8Array;
  /** ARN of the KMS key that signs, or of the KMS key that encrypts the private key. */
  readonly keyArn: string;
  readonly sealed?: SealedPrivateKey;
}

/** Returns the record of an RSA or P-256 signing key. `kid` is the RFC 7638 thumbprint of the public key. */
export async function signingKeyRecord(
  { spki, keyArn, sealed }: MadeKey,
  state: SigningKey['state'],
  at: number,
): Promise<SigningKey> {
  const publicKey = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const { kty = '', crv, ...rest } = publicKey.export({ format: 'jwk' });
  if (kty !== 'RSA' && crv !== 'P-256') throw new Error('The signing key must be an RSA key, or on P-256.');
  const alg = kty === 'RSA' ? 'RS256' : 'ES256';
  const publicJwk = { kty, ...(crv === undefined ? {} : { crv }), ...rest };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, alg, publicJwk, keyArn, ...(sealed ? { sealed } : {}), state, stateSince: at };
}
