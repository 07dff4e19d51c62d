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

/** Creates an HMAC-SHA-256 with a KMS key, so that a copy of the tables is not sufficient to make one. */
export function createKmsMac(withKms: WithKms, keyId: string): WebhookMac {
  return { mac: async (message) => (await macByKms(withKms, keyId, message)).toString('base64url') };
}

/** Number of derived keys in memory: today's, and around midnight those of the adjacent days. */
const KEYS_KEPT = 3;

/**
 * Creates an HMAC-SHA-256 with keys that KMS derives from one of its own, once per container and name (a KDF in the sense of
 * NIST SP 800-108r1 with the HMAC of KMS as its PRF). The derived keys are only in memory; no table contains them, not even
 * encrypted.
 * @param label Another label gives other keys under the same names
 */
export function createDerivedMac(withKms: WithKms, keyId: string, label: string): CodeMac {
  const cachedKey = createKeyCache<KeyObject>(KEYS_KEPT);
  const derive = async (name: string) =>
    createSecretKey(await macByKms(withKms, keyId, `one-time codes\n${label}\n${name}`));
  return {
    async mac(name, message, soon = []) {
      const deriving = cachedKey(name, () => derive(name));
      // A failure is left to the call that needs the key.
      for (const each of soon) cachedKey(each, () => derive(each)).catch(() => {});
      const key = await deriving;
      return createHmac('sha256', key).update(message).digest('base64url');
    },
  };
}

/**
 * Creates an HMAC-SHA-256 under the hash of the edge's secret, which all functions know and no caller does. A nonce limits the
 * life of proofs that an attacker makes in the browser (RFC 9449 §11.2). Reading the functions' configuration gains nothing
 * from it.
 * @param hashes `EDGE_SECRET_HASHES`, newest first
 */
export function createNonceMac(hashes: string): NonceMac {
  const [key = ''] = hashes.split(',');
  return { mac: async (message) => createHmac('sha256', key).update(message).digest('base64url') };
}
