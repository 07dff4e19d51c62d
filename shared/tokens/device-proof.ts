// Proofs by the key of a device-bound session ("DBSC proofs" in the W3C draft): JWTs in the header `Secure-Session-Response`.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { PROOF_MAX } from '../domain/basis/limits.ts';
import { findKeyProblem } from '../domain/credentials/client-keys.ts';
import type { PublicJwk } from '../ports/directory.ts';

/** Decoded proof of a device key. Its signature and claims are not verified yet. */
export interface DeviceProof {
  readonly jwt: string;
  /** Challenge that the browser signed. */
  readonly challenge: string;
  /** Value of the parameter `authorization` from the header that offered the registration. */
  readonly authorization: string | undefined;
  /** Public key in the proof. Only the proof that registers a key contains it. */
  readonly jwk: PublicJwk | undefined;
}

/** Reads a header whose value is a string (RFC 9651 §3.3.3). Chromium omits the quotes that the draft requires. */
export function readHeaderString(value = ''): string | undefined {
  const [, quoted, bare] = /^ *(?:"([\x21\x23-\x5b\x5d-\x7e]*)"(?:;.*)?|([\w.-]+)) *$/.exec(value) ?? [];
  return quoted ?? bare;
}

/** Reads the proof in the header `Secure-Session-Response`. Returns undefined if the header is missing or malformed. */
export function readDeviceProof(value: string | undefined): DeviceProof | undefined {
  const jwt = readHeaderString(value);
  if (jwt === undefined || jwt.length > PROOF_MAX) return undefined;
  try {
    const { jti, authorization } = decodeJwt(jwt);
    const { jwk } = decodeProtectedHeader(jwt);
    if (typeof jti !== 'string') return undefined;
    return {
      jwt,
      challenge: jti,
      authorization: typeof authorization === 'string' ? authorization : undefined,
      jwk: jwk as PublicJwk | undefined,
    };
  } catch {
    return undefined;
  }
}

const isPossibleKey = (jwk: PublicJwk): boolean =>
  (jwk.kty === 'RSA' || (jwk.kty === 'EC' && jwk.crv === 'P-256')) && findKeyProblem(jwk) === undefined;

/** Returns the public key in the proof of a registration as SPKI in base64url. Undefined if its type is not supported. */
export function readProofKey({ jwk }: DeviceProof): string | undefined {
  if (typeof jwk !== 'object' || !isPossibleKey(jwk)) return undefined;
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return key.export({ format: 'der', type: 'spki' }).toString('base64url');
}

/**
 * Returns true if a proof was made for this host and session. Chromium omits `aud` and `sub`, because the challenge belongs to
 * one session of one host. If a proof has them, they must name this host and the bound session.
 */
export function isProofFor(
  { jwt }: DeviceProof,
  { origin, boundSessionId }: { readonly origin: string; readonly boundSessionId?: string },
): boolean {
  const { aud = origin, sub = boundSessionId } = decodeJwt(jwt);
  const isThisHost = typeof aud === 'string' && URL.canParse(aud) && new URL(aud).origin === origin;
  return isThisHost && sub === boundSessionId && decodeProtectedHeader(jwt).typ === 'dbsc+jwt';
}

/**
 * Returns true if a key has signed a proof. The key determines the algorithm, not the proof (RFC 8725 §3.1).
 * @param key Public key of the session: SPKI in base64url
 */
export async function isSignedByDevice({ jwt }: DeviceProof, key: string): Promise<boolean> {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' });
  const algorithms = [publicKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'];
  return compactVerify(jwt, publicKey, { algorithms }).then(
    () => true,
    () => false,
  );
}
