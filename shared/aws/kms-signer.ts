import { createHash } from 'node:crypto';
import { SignCommand } from '@aws-sdk/client-kms';
import type { TokenAlgorithm } from '../ports/directory.ts';
import type { Signer } from '../ports/keys.ts';
import { envelopeSigner } from './envelope-signer.ts';
import type { WithKms } from './kms.ts';

/** Signing algorithms as KMS names them. The RSASSA-PSS salt of KMS is as long as the digest, as RFC 7518 §3.5 requires. */
const ALGORITHMS = {
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
  PS256: 'RSASSA_PSS_SHA_256',
  ES256: 'ECDSA_SHA_256',
} as const;

const INTEGER = 0x02;
const SEQUENCE = 0x30;
const P256_BYTES = 32;

/**
 * Returns the DER INTEGER at an offset. Returns undefined if it is malformed, negative or not minimally encoded (X.690 §8.3).
 */
function integerAt(der: Uint8Array, offset: number): Uint8Array | undefined {
  const length = der[offset + 1] ?? 0;
  const content = der.subarray(offset + 2, offset + 2 + length);
  const [first = 0x80, second = 0] = content;
  const isMinimal = first !== 0 || content.length === 1 || second >= 0x80;
  return der[offset] === INTEGER && content.length === length && first < 0x80 && isMinimal
    ? content
    : undefined;
}

/**
 * Converts an ECDSA signature from DER (a SEQUENCE of two INTEGERs), as KMS returns it, to JWS format: r followed by s, 32
 * bytes each (RFC 7518 §3.4). DER omits leading zeros and adds a zero byte where the first bit would make the number negative.
 */
export function joseSignature(der: Uint8Array): Uint8Array {
  const r = integerAt(der, 2);
  const s = r && integerAt(der, 4 + r.length);
  const isWhole = r && s && der[0] === SEQUENCE && der[1] === der.length - 2;
  if (!isWhole || der.length !== 6 + r.length + s.length)
    throw new Error('KMS returned a malformed signature');
  const out = new Uint8Array(2 * P256_BYTES);
  for (const [integer, end] of [
    [r, P256_BYTES],
    [s, 2 * P256_BYTES],
  ] as const) {
    const value = integer[0] === 0 ? integer.subarray(1) : integer;
    if (value.length > P256_BYTES) throw new Error('KMS returned a malformed signature');
    out.set(value, end - value.length);
  }
  return out;
}

/** Signs a message with KMS. Only the digest is sent, because KMS rejects messages above 4,096 bytes. */
async function signInKms(
  withKms: WithKms,
  keyArn: string,
  alg: TokenAlgorithm,
  message: Uint8Array,
): Promise<Uint8Array> {
  const { Signature } = await withKms((client) =>
    client.send(
      new SignCommand({
        KeyId: keyArn,
        Message: createHash('sha256').update(message).digest(),
        MessageType: 'DIGEST',
        SigningAlgorithm: ALGORITHMS[alg],
      }),
    ),
  );
  if (!Signature) throw new Error('KMS returned no signature');
  return alg === 'ES256' ? joseSignature(Signature) : Signature;
}

/** Creates a signer that signs in KMS or, if the key's record contains an encrypted private key, in this container. */
export function kmsSigner(withKms: WithKms): Signer {
  const signWithOpened = envelopeSigner(withKms);
  return {
    sign: ({ kid, keyArn, sealed }, alg, message) =>
      sealed
        ? signWithOpened({ kid, keyArn, sealed }, alg, message)
        : signInKms(withKms, keyArn, alg, message),
  };
}
