import type { CodeMac, NonceMac } from '../ports/keys.ts';
import { withKms } from './kms.ts';

/** HMAC-SHA-256 by a KMS key: a copy of the tables does not suffice to make one. */
export function kmsMac(keyId: string): CodeMac & NonceMac {
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
