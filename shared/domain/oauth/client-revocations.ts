import type { Client } from '../../ports/directory.ts';
import { CLIENT_REVOCATIONS_MAX } from '../basis/limits.ts';

// Client tokens that are rejected before they expire. They are listed in the client's record, which every call reads anyway.
// The list contains IDs of revoked tokens, and of revoked secrets. A revoked secret also invalidates the tokens issued with it.

/** Claims of a client token that are checked against its client's revocations. */
export interface ClientTokenClaims {
  readonly jti: string;
  /** Time at which the token was issued, in epoch seconds. */
  readonly issuedAt: number;
  /** ID of the client secret with which the token was issued. */
  readonly secretId?: string;
}

export function isRevoked(
  { revoked = [], tokensAfter = 0 }: Client,
  { jti, issuedAt, secretId }: ClientTokenClaims,
): boolean {
  return issuedAt <= tokensAfter || revoked.some(({ id }) => id === jti || id === secretId);
}

/**
 * Records at `at` (epoch seconds) that a token or secret is revoked. The entry is kept until `until`, when the last affected
 * token expires. If the list gets too long, all tokens issued so far are rejected instead, and clients request new tokens.
 */
export function addRevocation(client: Client, id: string, until: number, at: number): Client {
  const others = (client.revoked ?? []).filter((each) => each.until > at && each.id !== id);
  const revoked = [...others, { id, until }];
  return revoked.length > CLIENT_REVOCATIONS_MAX
    ? { ...client, revoked: [], tokensAfter: at }
    : { ...client, revoked };
}
