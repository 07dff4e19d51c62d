import type { Client } from '../../ports/directory.ts';
import { CLIENT_REVOCATIONS_MAX } from '../basis/limits.ts';

/**
 * Tokens of clients that are refused before they expire. They are noted in the client's record, which every call reads anyway:
 * a token that was revoked by itself, and tokens that were bought with a secret that was revoked.
 */

/** What a client's token says of itself. */
export interface ClientTokenClaims {
  readonly jti: string;
  /** Epoch seconds. */
  readonly issuedAt: number;
  /** The secret that it was bought with. */
  readonly secretId?: string;
}

export function isRevoked(
  { revoked = [], tokensAfter = 0 }: Client,
  { jti, issuedAt, secretId }: ClientTokenClaims,
): boolean {
  return issuedAt <= tokensAfter || revoked.some(({ id }) => id === jti || id === secretId);
}

/**
 * Notes at `at` (epoch seconds) that a token or a secret is revoked, for as long as a token of it may live. If the record
 * would keep too many, every token so far is refused: clients get new ones, and the record does not grow.
 */
export function withRevoked(client: Client, id: string, until: number, at: number): Client {
  const others = (client.revoked ?? []).filter((each) => each.until > at && each.id !== id);
  const revoked = [...others, { id, until }];
  return revoked.length > CLIENT_REVOCATIONS_MAX
    ? { ...client, revoked: [], tokensAfter: at }
    : { ...client, revoked };
}
