import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { SigningKey, SigningKeyRecords } from '../../shared/ports/directory.ts';

/** A public key of KMS: DER, SubjectPublicKeyInfo. */
export interface KmsPublicKey {
  readonly keyArn: string;
  readonly spki: Uint8Array;
}

/** The record of an RSA key in KMS; `kid` is its RFC 7638 thumbprint. */
export async function signingKeyRecord(
  key: KmsPublicKey,
  state: SigningKey['state'],
  at: number,
): Promise<SigningKey> {
  const publicKey = createPublicKey({ key: Buffer.from(key.spki), format: 'der', type: 'spki' });
  const { kty, n, e } = publicKey.export({ format: 'jwk' });
  if (kty !== 'RSA' || n === undefined || e === undefined)
    throw new Error('The signing key must be an RSA key.');
  const publicJwk = { kty, n, e };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, alg: 'RS256', publicJwk, keyArn: key.keyArn, state, stateSince: at };
}

/**
 * Puts the key as `current` if there is no signing key at all. Where there is one, states are the business of rotations,
 * and a deployment changes nothing.
 */
export async function ensureFirstSigningKey(
  records: Pick<SigningKeyRecords, 'list' | 'put'>,
  publicKey: () => Promise<KmsPublicKey>,
  at: number,
): Promise<void> {
  if ((await records.list()).length > 0) return;
  await records.put(await signingKeyRecord(await publicKey(), 'current', at));
}
