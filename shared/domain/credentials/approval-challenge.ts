import { createHash, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ApprovalData } from '../../ports/signing.ts';

const RANDOM_BYTES = 32;

export function newChallenge(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/**
 * Returns a random challenge that contains the data to be approved: 32 random bytes, a period, and the approval data as
 * canonical JSON (RFC 8785), both in base64url. The challenge is not encrypted.
 */
export function newRawChallenge(data: ApprovalData): string {
  return `${newChallenge()}.${Buffer.from(canonicalize(data) ?? '').toString('base64url')}`;
}

/** Returns the challenge that an authenticator signs for a raw challenge: the SHA-256 hash of its UTF-8 bytes, in base64url. */
export function hashRawChallenge(raw: string): string {
  return createHash('sha256').update(raw, 'utf8').digest('base64url');
}

/** Returns true if a raw challenge contains exactly this approval data. */
export function containsApprovalData(raw: string, data: ApprovalData): boolean {
  const [random = '', carried, ...rest] = raw.split('.');
  const expected = Buffer.from(canonicalize(data) ?? '').toString('base64url');
  return (
    rest.length === 0 && Buffer.from(random, 'base64url').length === RANDOM_BYTES && carried === expected
  );
}
