import { constants, createHash, type KeyObject, privateEncrypt, randomBytes } from 'node:crypto';

const HASH_BYTES = 32;
const MODULUS_BYTES = 256;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Generates a mask of the given number of bytes by MGF1 with SHA-256 (RFC 8017 §B.2.1). */
function mask(seed: Uint8Array, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / HASH_BYTES) }, (_, counter) =>
    sha256(seed, Buffer.of(0, 0, 0, counter)),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/**
 * Signs a SHA-256 digest by RSASSA-PSS with a 2048-bit key and a salt of 32 bytes (RFC 8017 §9.1.1), as KMS does with
 * `MessageType: DIGEST`. node:crypto cannot do this, because it always hashes the message.
 */
export function signPss(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const salt = randomBytes(HASH_BYTES);
  const hash = sha256(Buffer.alloc(8), digest, salt);
  const block = Buffer.alloc(MODULUS_BYTES - HASH_BYTES - 1);
  block[block.length - HASH_BYTES - 1] = 1;
  salt.copy(block, block.length - HASH_BYTES);
  const masked = Buffer.from(mask(hash, block.length).map((byte, index) => byte ^ (block[index] ?? 0)));
  // The encoded message is one bit shorter than the modulus.
  masked[0] = (masked[0] ?? 0) & 0x7f;
  const encoded = Buffer.concat([masked, hash, Buffer.of(0xbc)]);
  return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, encoded);
}
