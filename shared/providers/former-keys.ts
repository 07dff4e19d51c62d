import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as ofJose } from 'jose';
import { customFetch } from 'oauth4webapi';
import { createProviderCalls } from './calls.ts';

interface Guard {
  readonly loopback: boolean;
}

/** Maximum number of cached key sets, far above the number of applications that accept sessions of another system. */
const KEY_SETS_MAX = 200;

const known = new Map<string, JWTVerifyGetKey>();

/** Creates a key set whose keys are fetched with the restrictions that apply to all URLs chosen by tenants. */
const keysAt = (jwksUri: string, { loopback }: Guard) =>
  createRemoteJWKSet(new URL(jwksUri), {
    [ofJose]: (url, { headers }) =>
      createProviderCalls({ loopback })[customFetch](url, {
        method: 'GET',
        headers: Object.fromEntries(headers),
      }),
  });

/**
 * Returns a function that finds a previous issuer's public keys at the given URL. The container caches the keys for ten
 * minutes. For an unknown `kid`, the keys are fetched again, at most twice a minute.
 */
export function formerKeys(jwksUri: string, guard: Guard): JWTVerifyGetKey {
  const keys = known.get(jwksUri) ?? keysAt(jwksUri, guard);
  if (known.size >= KEY_SETS_MAX) known.clear();
  known.set(jwksUri, keys);
  return keys;
}

/** Returns true if the URL currently returns a key set with at least one key. */
export async function servesKeys(jwksUri: string, guard: Guard): Promise<boolean> {
  const keys = keysAt(jwksUri, guard);
  await keys.reload().catch(() => undefined);
  return (keys.jwks()?.keys.length ?? 0) > 0;
}
