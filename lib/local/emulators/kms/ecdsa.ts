import { createECDH, randomBytes } from 'node:crypto';

/** Order of the base point of the curve P-256 (SEC 2 §2.4.2). */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Signs a SHA-256 digest by ECDSA on P-256 and returns the signature in DER, as KMS does with `MessageType: DIGEST`.
 * node:crypto cannot do this, because it always hashes the message. The code does not run in constant time, so use it only for
 * local keys.
 */
export function signEcdsa(privateScalar: Uint8Array, digest: Uint8Array): Buffer {
  const d = toInteger(privateScalar);
  const z = toInteger(digest);
  for (;;) {
    const nonce = randomBytes(32);
    const k = toInteger(nonce);
    if (k === 0n || k >= N) continue;
    const point = createECDH('prime256v1');
    point.setPrivateKey(nonce);
    const r = toInteger(point.getPublicKey().subarray(1, 33)) % N;
    const s = (inverse(k) * ((z + r * d) % N)) % N;
    if (r !== 0n && s !== 0n) return derSequence(derInteger(r), derInteger(s));
  }
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Computes the inverse of a number modulo N by Fermat's little theorem, because N is prime. */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value % N;
  for (let exponent = N - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % N;
    base = (base * base) % N;
  }
  return result;
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const positive = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(0x02, positive.length), positive]);
}

function derSequence(...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}
