import { equalSecrets, hashSecret } from './random.ts';

/**
 * Headers between the edge and the functions. What a viewer sends under the first two names the edge replaces; the third
 * goes the other way, see `lib/stacks/functions/challenge.ts`.
 */
export const EDGE_HEADERS = {
  secret: 'otl-edge',
  viewerAddress: 'otl-viewer-address',
  challenge: 'otl-challenge',
} as const;

/**
 * Whether a request came through the edge: it carries the secret of one of the hashes (SHA-256, base64url). Two are accepted
 * while the secret changes. All are compared, so that the time tells nothing of which one was right.
 */
export function isFromEdge(presented: string | undefined, hashes: readonly string[]): boolean {
  if (presented === undefined) return false;
  const hash = hashSecret(presented);
  return hashes.filter((accepted) => equalSecrets(accepted, hash)).length > 0;
}
