import { createHmac } from 'node:crypto';
import type { CodeMac, NonceMac } from '../ports/keys.ts';
import { withKms } from './kms.ts';

/** HMAC-SHA-256 by a KMS key: a copy of the tables does not suffice to make one. */
export function kmsMac(keyId: string): CodeMac {
  return {
    async mac(message) {
      const { Mac } = await withKms((client, { GenerateMacCommand }) =>
        client.send(
          new GenerateMacCommand({
            KeyId: keyId,
            MacAlgorithm: 'HMAC_SHA_256',
            Message: Buffer.from(message),
          }),
        ),
      );
      if (!Mac) throw new Error('KMS returned no MAC');
      return Buffer.from(Mac).toString('base64url');
    },
  };
}

/**
 * HMAC-SHA-256 under the hash of the edge's secret, which all functions have and no caller. A nonce bounds the life of proofs
 * that an attacker makes in the browser (RFC 9449 §11.2); to a reader of the functions' configuration it is worth nothing.
 * @param hashes `EDGE_SECRET_HASHES`: the newest is the first
 */
export function nonceMacUnder(hashes: string): NonceMac {
  const [key = ''] = hashes.split(',');
  return { mac: async (message) => createHmac('sha256', key).update(message).digest('base64url') };
}
