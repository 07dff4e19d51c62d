// The two algorithms with which devices sign approvals (SPEC "Algorithm object").
import { constants, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { invalidInput } from '../../errors/service-error.ts';
import type { PublicJwk } from '../../ports/directory.ts';
import type { DeviceKey } from '../../ports/people.ts';
import { findKeyProblem } from './client-keys.ts';

const SALT_BYTES = 32;
const P256_SIGNATURE_BYTES = 64;

type KeyAlgorithm = DeviceKey['algorithm'];

const ALGORITHMS = {
  ecdsa: { name: 'ecdsa', hash: 'sha-256', namedCurve: 'P-256' },
  'rsa-pss': { name: 'rsa-pss', hash: 'sha-256', saltLength: SALT_BYTES },
} as const;

export type AlgorithmObject = (typeof ALGORITHMS)[KeyAlgorithm];

export function algorithmObject(algorithm: KeyAlgorithm): AlgorithmObject {
  return ALGORITHMS[algorithm];
}

/** JWK `alg` value for each algorithm (RFC 7518 §3.1). */
const JWA: Readonly<Record<KeyAlgorithm, string>> = { ecdsa: 'ES256', 'rsa-pss': 'PS256' };

/** Reads a device's public key from a JWK: EC P-256, or RSA of at least 2048 bits. Errors: `system_invalid_input`. */
export function readDevicePublicKey(jwk: PublicJwk): Pick<DeviceKey, 'algorithm' | 'publicKey'> {
  const complaint = findKeyProblem(jwk);
  if (complaint !== undefined) throw invalidInput(`public_key: ${complaint}`);
  const isCurve = jwk.kty === 'EC' && jwk.crv === 'P-256';
  if (!isCurve && jwk.kty !== 'RSA') throw invalidInput('public_key: must be an EC P-256 or RSA key');
  const algorithm = isCurve ? 'ecdsa' : 'rsa-pss';
  if (jwk.alg !== undefined && jwk.alg !== JWA[algorithm])
    throw invalidInput(`public_key: alg must be ${JWA[algorithm]}`);
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return { algorithm, publicKey: key.export({ format: 'der', type: 'spki' }).toString('base64url') };
}

/**
 * Returns true if a device key has signed the UTF-8 bytes of a challenge. The signature is base64url; ECDSA signatures are r‖s.
 * Returns false for malformed input and never throws.
 */
export function isSignedBy(
  { algorithm, publicKey }: Pick<DeviceKey, 'algorithm' | 'publicKey'>,
  challenge: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature, 'base64url');
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    const data = Buffer.from(challenge, 'utf8');
    if (algorithm === 'ecdsa')
      return (
        given.length === P256_SIGNATURE_BYTES &&
        verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, given)
      );
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return verify('sha256', data, { key, padding, saltLength: SALT_BYTES }, given);
  } catch {
    return false;
  }
}
