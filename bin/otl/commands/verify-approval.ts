import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { toApprovalFields } from '../../../shared/domain/credentials/approval-data.ts';
import { UnverifiedApproval, verifyApproval } from '../../../shared/domain/credentials/verify-approval.ts';
import { RefusedError } from '../terminal/failure.ts';

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'));
  } catch (error) {
    throw new RefusedError(`${file}: ${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}.`);
  }
}

/**
 * Verifies a signed approval and returns the approved data with the key that signed it.
 * @param file Path of the JSON file; `-` reads standard input.
 * @throws `RefusedError` if the file is unreadable or the signature is not valid.
 */
export async function readApproval(file: string): Promise<object> {
  const given = await readJson(file);
  try {
    const { approvalData, signedBy, origin, keyFingerprint } = verifyApproval(given);
    return {
      verified: true,
      ...toApprovalFields(approvalData),
      signed_by: signedBy,
      ...(origin === undefined ? {} : { origin }),
      key_fingerprint: keyFingerprint,
    };
  } catch (error) {
    if (error instanceof UnverifiedApproval) throw new RefusedError(`Not verified: ${error.message}.`);
    throw error;
  }
}
