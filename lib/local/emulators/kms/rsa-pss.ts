import { constants, createHash, type KeyObject, privateEncrypt, randomBytes } from 'node:crypto';

const HASH_BYTES = 32;
const MODULUS_BYTES = 256;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** MGF1 with SHA-256, RFC 8017 §B.2.1. */
function mask(seed: Uint8Array, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / HASH_BYTES) }, (_, counter) =>
    sha256(seed, Buffer.of(0, 0, 0, counter)),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/**
 * RSASSA-PSS over a given SHA-256 digest by a key of 2048 bits, with a salt of 32 bytes, as KMS signs with
 * `MessageType: DIGEST` (EMSA-PSS, RFC 8017 §9.1.1); node:crypto always hashes itself.
 */
export function pssOfDigest(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const salt = randomBytes(HASH_BYTES);
  const hash = sha256(Buffer.alloc(8), digest, salt);
  const block = Buffer.alloc(MODULUS_BYTES - HASH_BYTES - 1);
  block[block.length - HASH_BYTES - 1] = 1;
  salt.copy(block, block.length - HASH_BYTES);
  const masked = Buffer.from(mask(hash, block.length).map((byte, index) => byte ^ (block[index] ?? 0)));
  // The encoded message has one bit less than the modulus.
  masked[0] = (masked[0] ?? 0) & 0x7f;
  const encoded = Buffer.concat([masked, hash, Buffer.of(0xbc)]);
  return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, encoded);
}
