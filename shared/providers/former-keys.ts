import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as ofJose } from 'jose';
import { customFetch } from 'oauth4webapi';
import { openCalls } from './calls.ts';

interface Guard {
  readonly loopback: boolean;
}

/** Far above the number of applications that take sessions of another system. */
const KEY_SETS_MAX = 200;

const known = new Map<string, JWTVerifyGetKey>();

/** Fetched as all addresses that tenants choose. */
const keysAt = (jwksUri: string, { loopback }: Guard) =>
  createRemoteJWKSet(new URL(jwksUri), {
    [ofJose]: (url, { headers }) =>
      openCalls({ loopback })[customFetch](url, { method: 'GET', headers: Object.fromEntries(headers) }),
  });

/**
 * The keys of a former issuer by their address, cached in the container for ten minutes, and fetched again for an unknown `kid`,
 * twice a minute at most.
 */
export function formerKeys(jwksUri: string, guard: Guard): JWTVerifyGetKey {
  const keys = known.get(jwksUri) ?? keysAt(jwksUri, guard);
  if (known.size >= KEY_SETS_MAX) known.clear();
  known.set(jwksUri, keys);
  return keys;
}

/** Returns true if the address has keys now. */
export async function givesKeys(jwksUri: string, guard: Guard): Promise<boolean> {
  const keys = keysAt(jwksUri, guard);
  await keys.reload().catch(() => undefined);
  return (keys.jwks()?.keys.length ?? 0) > 0;
}
