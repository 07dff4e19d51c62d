import type { ProvenMethod } from '../../ports/flows.ts';

/**
 * Times of a login. The answer of a provider proves the account there now, but the person may have authenticated long before: only
 * `auth_time` of its ID token says when.
 */

/** Returns `auth_time` of the tokens of a login (OIDC Core §2), in epoch seconds: the latest authentication among its methods. */
export function authTimeOf(methods: readonly ProvenMethod[]): number {
  if (methods.length === 0) throw new Error('a login needs an authentication');
  return Math.max(...methods.map(({ at, authTime }) => authTime ?? at));
}

/** Returns true if a method shows that the person authenticated at `since` (epoch seconds) or later. */
export const isShownSince = (methods: readonly ProvenMethod[], since: number): boolean =>
  methods.some(({ method, at, authTime }) => {
    const shownAt = method === 'social' ? authTime : at;
    return shownAt !== undefined && shownAt >= since;
  });
