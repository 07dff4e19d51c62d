import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { invalidInput } from '../../errors/service-error.ts';
import type { PublicJwk } from '../../ports/directory.ts';
import { hasPrivateMembers, listKeyAlgorithms } from '../basis/key-algorithms.ts';
import { CLIENT_KEYS_MAX, KEY_ID_MAX, RSA_BITS_MAX, RSA_BITS_MIN } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';

export interface KeySet {
  readonly keys: readonly PublicJwk[];
}

/**
 * Smallest public exponent (FIPS 186-5 §5.1). With a smaller exponent, a verifier that checks padding loosely accepts
 * forgeries.
 */
const RSA_EXPONENT_MIN = 65_537n;

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};

function importKey(jwk: PublicJwk): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Returns the reason why a key cannot verify signatures, or undefined if the key can verify them. */
export function findKeyProblem(jwk: PublicJwk): string | undefined {
  if (hasPrivateMembers(jwk)) return 'holds a private key: give the public one, and replace this key';
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'must be a key for signatures (use: sig)';
  if (jwk.kid !== undefined && (typeof jwk.kid !== 'string' || jwk.kid === '' || jwk.kid.length > KEY_ID_MAX))
    return `kid must be a string of at most ${KEY_ID_MAX} characters`;
  if (listKeyAlgorithms({ ...jwk, alg: undefined }).length === 0)
    return 'must be an RSA, P-256, P-384, P-521 or Ed25519 key';
  if (listKeyAlgorithms(jwk).length === 0) return 'alg must be a signature algorithm for this type of key';
  const details = importKey(jwk)?.asymmetricKeyDetails;
  if (!details) return 'is not a valid public key';
  if (jwk.kty !== 'RSA') return undefined;
  const { modulusLength = 0, publicExponent = 0n } = details;
  if (modulusLength < RSA_BITS_MIN || modulusLength > RSA_BITS_MAX)
    return `must have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits`;
  return publicExponent < RSA_EXPONENT_MIN
    ? `must have a public exponent of at least ${RSA_EXPONENT_MIN}`
    : undefined;
}

/** Returns only the members of a key that are needed to verify signatures. Drops certificates and all other members. */
function essence(jwk: PublicJwk): PublicJwk {
  const { kty, kid, alg, use } = jwk;
  const members = Object.fromEntries((MEMBERS[kty] ?? []).map((name) => [name, jwk[name]]));
  return omitUndefined<PublicJwk>({ kty, ...members, kid, alg, use });
}

/** Validates the public keys with which a client's assertions are verified (RFC 7517 §5). Errors: `system_invalid_input`. */
export function readClientKeys({ keys }: KeySet): KeySet {
  if (keys.length === 0 || keys.length > CLIENT_KEYS_MAX)
    throw invalidInput(`jwks.keys: must have 1 to ${CLIENT_KEYS_MAX} keys`);
  keys.forEach((jwk, index) => {
    const complaint = findKeyProblem(jwk);
    if (complaint !== undefined) throw invalidInput(`jwks.keys.${index}: ${complaint}`);
  });
  const ids = keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
  if (new Set(ids).size < ids.length) throw invalidInput('jwks.keys: two keys have the same kid');
  return { keys: keys.map(essence) };
}
