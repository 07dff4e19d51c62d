import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { GenerateMacCommand } from '@aws-sdk/client-kms';
import type { CodeMac, NonceMac, WebhookMac } from '../ports/keys.ts';
import { createKeyCache, type WithKms } from './kms.ts';

async function macByKms(withKms: WithKms, keyId: string, message: string): Promise<Buffer> {
  const { Mac } = await withKms((client) =>
    client.send(
      new GenerateMacCommand({
        KeyId: keyId,
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(message),
      }),
    ),
  );
  if (!Mac) throw new Error('KMS returned no MAC');
  return Buffer.from(Mac);
}

/**
 * Creates a function that computes HMAC-SHA-256 with a KMS key. An attacker with a copy of the tables cannot compute these
 * MACs.
 */
export function createKmsMac(withKms: WithKms, keyId: string): WebhookMac {
  return { mac: async (message) => (await macByKms(withKms, keyId, message)).toString('base64url') };
}

/** Maximum number of derived keys in memory: today's key and, around midnight, the keys of the adjacent days. */
const KEYS_KEPT = 3;

/**
 * Creates a function that computes HMAC-SHA-256 with derived keys. Once per container and name, KMS derives a key from the KMS
 * key `keyId` (a KDF in the sense of NIST SP 800-108r1 with the HMAC of KMS as its PRF). Derived keys exist only in memory; no
 * table contains them, not even encrypted.
 * @param label Label of the derivation. A different label gives different keys for the same names
 */
export function createDerivedMac(withKms: WithKms, keyId: string, label: string): CodeMac {
  const cachedKey = createKeyCache<KeyObject>(KEYS_KEPT);
  const derive = async (name: string) =>
    createSecretKey(await macByKms(withKms, keyId, `one-time codes\n${label}\n${name}`));
  return {
    async mac(name, message, prefetch = []) {
      const deriving = cachedKey(name, () => derive(name));
      // A failure is ignored here, because the call that needs the key later will report it.
      for (const each of prefetch) cachedKey(each, () => derive(each)).catch(() => {});
      const key = await deriving;
      return createHmac('sha256', key).update(message).digest('base64url');
    },
  };
}

/**
 * Creates a function that computes the HMAC-SHA-256 of DPoP nonces. The key is the hash of the CloudFront secret, which all
 * functions know and no caller knows. A nonce limits the lifetime of proofs that an attacker prepares in the browser (RFC 9449
 * §11.2). An attacker who reads this key in a function's configuration can only create nonces.
 * @param hashes `EDGE_SECRET_HASHES`, newest first
 */
export function createNonceMac(hashes: string): NonceMac {
  const [key = ''] = hashes.split(',');
  return { mac: async (message) => createHmac('sha256', key).update(message).digest('base64url') };
}
