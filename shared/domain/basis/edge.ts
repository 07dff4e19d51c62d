import { areSecretsEqual, hashSecret } from './random.ts';

/**
 * Names of headers between the CDN and the functions. The CDN overwrites `secret` and `viewerAddress` if a viewer sends them. A
 * function sends `challenge` to the CDN (lib/stacks/functions/challenge.ts).
 */
export const EDGE_HEADERS = {
  secret: 'otl-edge',
  viewerAddress: 'otl-viewer-address',
  challenge: 'otl-challenge',
} as const;

/**
 * Returns true if a request came through our CDN, which sends a shared secret. `hashes` are SHA-256 hashes (base64url) of the
 * valid secrets: two during a rotation. Compares with all hashes, so that the time does not reveal which hash matches.
 */
export function isFromEdge(presented: string | undefined, hashes: readonly string[]): boolean {
  if (presented === undefined) return false;
  const hash = hashSecret(presented);
  return hashes.filter((accepted) => areSecretsEqual(accepted, hash)).length > 0;
}
