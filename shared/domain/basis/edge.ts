import { equalSecrets, hashSecret } from './random.ts';

/**
 * Headers between the edge and the functions. The edge replaces a viewer's headers of the first two names; the third goes
 * from a function to the edge (lib/stacks/functions/challenge.ts).
 */
export const EDGE_HEADERS = {
  secret: 'otl-edge',
  viewerAddress: 'otl-viewer-address',
  challenge: 'otl-challenge',
} as const;

/**
 * Whether a request has the secret of one of the hashes (SHA-256, base64url); there are two while the secret rotates.
 * Compares all of them: the time must not show which one fits.
 */
export function isFromEdge(presented: string | undefined, hashes: readonly string[]): boolean {
  if (presented === undefined) return false;
  const hash = hashSecret(presented);
  return hashes.filter((accepted) => equalSecrets(accepted, hash)).length > 0;
}
