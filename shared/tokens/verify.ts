import { createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from 'jose';
import type { UserCaller } from '../operation.ts';
import type { SigningKey } from '../ports/directory.ts';

export interface VerifiedClientToken {
  readonly kind: 'client';
  readonly clientId: string;
  readonly tenantId: string;
  readonly audience: readonly string[];
  /** The scope of the token: the client may have asked for less than it is allowed. */
  readonly permissions: readonly string[];
}

export interface VerifiedUserToken extends UserCaller {
  readonly audience: readonly string[];
}

export type VerifiedAccessToken = VerifiedClientToken | VerifiedUserToken;

/** Public form of the keys, as `GET /oidc/jwks` shows them. */
export function jwks(keys: readonly SigningKey[]): { keys: JWK[] } {
  return {
    keys: keys.map(({ kid, alg, publicJwk }) => ({ ...publicJwk, kid, alg, use: 'sig' })) as JWK[],
  };
}

type KeySet = ReturnType<typeof createLocalJWKSet>;
const keySets = new WeakMap<readonly SigningKey[], KeySet>();

/** The directory cache hands out the same list for a minute, so keys are imported once and not for each token. */
function keySet(keys: readonly SigningKey[]): KeySet {
  let set = keySets.get(keys);
  if (!set) {
    set = createLocalJWKSet(jwks(keys));
    keySets.set(keys, set);
  }
  return set;
}

function text(payload: JWTPayload, claim: string): string | undefined {
  const value = payload[claim];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readClaims(payload: JWTPayload): VerifiedAccessToken | undefined {
  const [subject, clientId, tenantId] = [payload.sub, text(payload, 'client_id'), text(payload, 'tid')];
  if (!subject || !clientId || !tenantId) return undefined;
  const audience = [payload.aud ?? []].flat();
  const sessionId = text(payload, 'sid');
  if (sessionId === undefined) {
    if (subject !== clientId) return undefined;
    const permissions = text(payload, 'scope')?.split(' ') ?? [];
    return { kind: 'client', clientId, tenantId, audience, permissions };
  }
  const applicationId = text(payload, 'app_id');
  if (!applicationId || subject === clientId) return undefined;
  return { kind: 'user', userId: subject, sessionId, tenantId, applicationId, clientId, audience };
}

/**
 * Checks one of our own access tokens (RFC 9068 §4): signature by a published key, `typ` at+jwt (an ID token is none),
 * issuer, expiry without tolerance. Undefined for anything else; no reason is given to a stranger.
 */
export async function verifyAccessToken(
  token: string,
  keys: readonly SigningKey[],
  issuer: string,
): Promise<VerifiedAccessToken | undefined> {
  if (keys.length === 0) return undefined;
  try {
    const { payload } = await jwtVerify(token, keySet(keys), {
      issuer,
      typ: 'at+jwt',
      algorithms: ['RS256', 'ES256'],
      requiredClaims: ['exp', 'iat', 'sub', 'aud', 'jti'],
    });
    return readClaims(payload);
  } catch {
    return undefined;
  }
}
