import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as ofJose } from 'jose';
import { customFetch } from 'oauth4webapi';
import { openCalls } from './calls.ts';

interface Guard {
  readonly loopback: boolean;
}

/** Maximum number of cached key sets, far above the number of applications that accept sessions of another system. */
const KEY_SETS_MAX = 200;

const known = new Map<string, JWTVerifyGetKey>();

/** Creates a key set. Its keys are fetched under the restrictions that apply to every URL chosen by a tenant. */
const keysAt = (jwksUri: string, { loopback }: Guard) =>
  createRemoteJWKSet(new URL(jwksUri), {
    [ofJose]: (url, { headers }) =>
      openCalls({ loopback })[customFetch](url, { method: 'GET', headers: Object.fromEntries(headers) }),
  });

/**
 * Returns the public keys of a previous issuer from the given URL. The container caches the keys for ten minutes. For an
 * unknown `kid` they are fetched again, at most twice a minute.
 */
export function formerKeys(jwksUri: string, guard: Guard): JWTVerifyGetKey {
  const keys = known.get(jwksUri) ?? keysAt(jwksUri, guard);
  if (known.size >= KEY_SETS_MAX) known.clear();
  known.set(jwksUri, keys);
  return keys;
}

/** Returns true if the URL currently provides keys. */
export async function givesKeys(jwksUri: string, guard: Guard): Promise<boolean> {
  const keys = keysAt(jwksUri, guard);
  await keys.reload().catch(() => undefined);
  return (keys.jwks()?.keys.length ?? 0) > 0;
}
