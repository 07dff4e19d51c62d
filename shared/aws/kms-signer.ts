import { createHash } from 'node:crypto';
import type { TokenAlgorithm } from '../ports/directory.ts';
import type { Signer } from '../ports/keys.ts';
import { envelopeSigner } from './envelope-signer.ts';
import { withKms } from './kms.ts';

/** RSASSA-PSS of KMS has a salt as long as the digest, as RFC 7518 §3.5 wants it. */
const ALGORITHMS = {
  RS256: 'RSASSA_PKCS1_V1_5_SHA_256',
  PS256: 'RSASSA_PSS_SHA_256',
  ES256: 'ECDSA_SHA_256',
} as const;
const P256_BYTES = 32;

/** KMS returns ECDSA signatures in DER, a SEQUENCE of two INTEGERs. A JWS has r followed by s (RFC 7518 §3.4). */
function joseSignature(der: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 * P256_BYTES);
  let offset = 2;
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw new Error('KMS returned a malformed signature');
  for (const end of [P256_BYTES, 2 * P256_BYTES]) {
    const length = der[offset + 1] ?? 0;
    const integer = der.subarray(offset + 2, offset + 2 + length);
    const value = integer[0] === 0 ? integer.subarray(1) : integer;
    if (der[offset] !== 0x02 || integer.length !== length || value.length > P256_BYTES)
      throw new Error('KMS returned a malformed signature');
    out.set(value, end - value.length);
    offset += 2 + length;
  }
  return out;
}

/** Sends the digest only: KMS refuses messages above 4096 bytes. */
async function signInKms(keyArn: string, alg: TokenAlgorithm, message: Uint8Array): Promise<Uint8Array> {
  const { Signature } = await withKms((client, { SignCommand }) =>
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

/** Signs in KMS, or, where the key's record has a sealed private key, in this container. */
export function kmsSigner(): Signer {
  const signWithOpened = envelopeSigner();
  return {
    sign: ({ kid, keyArn, sealed }, alg, message) =>
      sealed ? signWithOpened({ kid, keyArn, sealed }, alg, message) : signInKms(keyArn, alg, message),
  };
}
