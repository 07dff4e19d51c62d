import type { CodeMac } from '../ports/keys.ts';
import { withKms } from './kms.ts';

/** HMAC-SHA-256 by a KMS key: whoever reads the table of codes cannot try them out without asking KMS. */
export function kmsCodeMac(keyId: string): CodeMac {
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
