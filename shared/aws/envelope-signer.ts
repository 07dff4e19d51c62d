import { constants, createPrivateKey, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { DecryptCommand } from '@aws-sdk/client-kms';
import type { TokenAlgorithm } from '../ports/directory.ts';
import type { SigningKey } from '../ports/keys.ts';
import { createKeyCache, type WithKms } from './kms.ts';

type SealedKey = Required<Pick<SigningKey, 'kid' | 'keyArn' | 'sealed'>>;

const OPTIONS: Readonly<Record<TokenAlgorithm, Omit<SignKeyObjectInput, 'key'>>> = {
  RS256: {},
  // The salt is as long as the digest (RFC 7518 §3.5).
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  ES256: { dsaEncoding: 'ieee-p1363' },
};

/** Signs on another thread (the callback form of `sign`), so that the two signatures of a login are made in parallel. */
const signOnThread = promisify<string, Uint8Array, Parameters<typeof sign>[2], Buffer>(sign);

async function decryptKey(withKms: WithKms, { keyArn, sealed }: SealedKey): Promise<KeyObject> {
  const { Plaintext } = await withKms((client) =>
    client.send(
      new DecryptCommand({
        // The call names the key, so that an attacker cannot make the service decrypt a ciphertext of another key.
        KeyId: keyArn,
        CiphertextBlob: Buffer.from(sealed.ciphertext, 'base64'),
        EncryptionContext: { ...sealed.context },
      }),
    ),
  );
  if (!Plaintext) throw new Error('KMS returned no private key');
  const key = createPrivateKey({ key: Buffer.from(Plaintext), format: 'der', type: 'pkcs8' });
  Plaintext.fill(0);
  return key;
}

/** Creates a signer that signs in this container. KMS decrypts each private key once per container. */
export function envelopeSigner(
  withKms: WithKms,
): (key: SealedKey, alg: TokenAlgorithm, message: Uint8Array) => Promise<Uint8Array> {
  const cachedKey = createKeyCache<KeyObject>();
  return async (key, alg, message) =>
    signOnThread('sha256', message, {
      key: await cachedKey(key.kid, () => decryptKey(withKms, key)),
      ...OPTIONS[alg],
    });
}
