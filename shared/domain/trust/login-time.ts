// Times of a login. A provider's response proves that the account is the user's now, but the user may have authenticated at the
// provider long before. Only `auth_time` of the provider's ID token says when.
import type { ProvenMethod } from '../../ports/flows.ts';

/**
 * Returns the `auth_time` of a login's tokens (OIDC Core §2): the time at which the most recent of its methods was proven, in
 * epoch seconds.
 */
export function findLatestAuthTime(methods: readonly ProvenMethod[]): number {
  if (methods.length === 0) throw new Error('a login needs an authentication');
  return Math.max(...methods.map(({ at, authTime }) => authTime ?? at));
}

/** Returns true if the user authenticated at `since` (epoch seconds) or later. For provider logins, `auth_time` decides. */
export const hasAuthenticatedSince = (methods: readonly ProvenMethod[], since: number): boolean =>
  methods.some(({ method, at, authTime }) => {
    const shownAt = method === 'social' ? authTime : at;
    return shownAt !== undefined && shownAt >= since;
  });
