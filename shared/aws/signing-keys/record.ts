import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { SealedPrivateKey, SigningKey } from '../../ports/keys.ts';

/** A key in KMS, or a key pair of KMS with an encrypted private key. */
export interface MadeKey {
  /** DER, SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  /** The key that signs, or that the private key is sealed under. */
  readonly keyArn: string;
  readonly sealed?: SealedPrivateKey;
}

/** The record of an RSA key; `kid` is its RFC 7638 thumbprint. */
export async function signingKeyRecord(
  { spki, keyArn, sealed }: MadeKey,
  state: SigningKey['state'],
  at: number,
): Promise<SigningKey> {
  const publicKey = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const { kty, n, e } = publicKey.export({ format: 'jwk' });
  if (kty !== 'RSA' || n === undefined || e === undefined)
    throw new Error('The signing key must be an RSA key.');
  const publicJwk = { kty, n, e };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, alg: 'RS256', publicJwk, keyArn, ...(sealed ? { sealed } : {}), state, stateSince: at };
}
