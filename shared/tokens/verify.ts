import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import type { ClientTokenClaims } from '../domain/oauth/client-revocations.ts';
import type { UserCaller } from '../operation.ts';
import type { SigningKey } from '../ports/keys.ts';
import type { TokenFault } from './challenges.ts';
import { listKeyUses, USER_INFO_CLAIM } from './jws.ts';

/** Claims of every access token of this service. Times are in epoch seconds. */
type CommonClaims = Pick<
  UserCaller,
  'clientId' | 'tenantId' | 'audience' | 'scope' | 'jti' | 'issuedAt' | 'expiresAt' | 'dpopJkt'
>;

export interface VerifiedClientToken extends CommonClaims, ClientTokenClaims {
  readonly kind: 'client';
  /** Permissions in the token's scope. A token request may ask for fewer permissions than the client has. */
  readonly permissions: readonly string[];
  /** ID of the client's application. Undefined for a management client. */
  readonly applicationId?: string;
}

export type VerifiedUserToken = UserCaller;

export type VerifiedAccessToken = VerifiedClientToken | VerifiedUserToken;

/** Returns the public keys as a JWK set (RFC 7517 §5). RSA keys come first, because every client supports them. */
export function publicKeySet(keys: readonly SigningKey[]): { keys: JWK[] } {
  const uses = keys
    .toSorted((one, other) => Number(one.alg === 'ES256') - Number(other.alg === 'ES256'))
    .flatMap(listKeyUses);
  return { keys: uses.map(({ kid, alg, key }) => ({ ...key.publicJwk, kid, alg, use: 'sig' })) as JWK[] };
}

type KeySet = ReturnType<typeof createLocalJWKSet>;
const keySets = new WeakMap<readonly SigningKey[], KeySet>();

/**
 * Returns a list of signing keys in imported form. The result is cached as long as the list object exists, which is a minute.
 */
function keySet(keys: readonly SigningKey[]): KeySet {
  let set = keySets.get(keys);
  if (!set) {
    set = createLocalJWKSet(publicKeySet(keys));
    keySets.set(keys, set);
  }
  return set;
}

function text(payload: JWTPayload, claim: string): string | undefined {
  const value = payload[claim];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/**
 * Reads the key thumbprint from the `cnf` claim. Returns undefined if there is no such claim. Returns null for an invalid
 * claim, so that the caller rejects the token.
 */
function readBinding({ cnf }: JWTPayload): string | null | undefined {
  if (cnf === undefined) return undefined;
  const jkt = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined;
  return typeof jkt === 'string' ? jkt : null;
}

function readCommon(payload: JWTPayload): CommonClaims | undefined {
  const { aud = [], jti, iat, exp } = payload;
  const [clientId, tenantId, dpopJkt] = [
    text(payload, 'client_id'),
    text(payload, 'tid'),
    readBinding(payload),
  ];
  if (!clientId || !tenantId || !jti || iat === undefined || exp === undefined || dpopJkt === null)
    return undefined;
  return {
    clientId,
    tenantId,
    audience: [aud].flat(),
    scope: text(payload, 'scope') ?? '',
    jti,
    issuedAt: iat,
    expiresAt: exp,
    ...(dpopJkt === undefined ? {} : { dpopJkt }),
  };
}

function readUser(payload: JWTPayload, userId: string, common: CommonClaims): VerifiedUserToken | undefined {
  const [sessionId, applicationId] = [text(payload, 'sid'), text(payload, 'app_id')];
  const names = ['acr', 'fid', 'org_id', 'consent_id'];
  const [acr, familyClaim, organizationId, consentId] = names.map((claim) => text(payload, claim));
  const { auth_time: authTime, amr } = payload;
  if (!sessionId || !applicationId || userId === common.clientId || typeof authTime !== 'number')
    return undefined;
  return {
    kind: 'user',
    ...common,
    userId,
    sessionId,
    applicationId,
    authTime,
    amr: texts(amr),
    roles: texts(payload.roles),
    userInfoClaims: texts(payload[USER_INFO_CLAIM]),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(acr === undefined ? {} : { acr }),
    ...(familyClaim === undefined ? {} : { familyClaim }),
    ...(consentId === undefined ? {} : { consentId }),
  };
}

function readClaims(payload: JWTPayload): VerifiedAccessToken | undefined {
  const common = readCommon(payload);
  if (!common || !payload.sub) return undefined;
  if (payload.sid !== undefined) return readUser(payload, payload.sub, common);
  if (payload.sub !== common.clientId) return undefined;
  const permissions = common.scope === '' ? [] : common.scope.split(' ');
  const [secretId, applicationId] = [text(payload, 'secret_id'), text(payload, 'app_id')];
  return {
    kind: 'client',
    ...common,
    permissions,
    ...(secretId === undefined ? {} : { secretId }),
    ...(applicationId === undefined ? {} : { applicationId }),
  };
}

/** Verifies a token of this service and returns its claims. Returns undefined for any other token. */
async function verifyOwn(
  token: string,
  keys: readonly SigningKey[],
  issuer: string,
  expected: { readonly typ: 'at+jwt' | 'JWT'; readonly clockTolerance?: number },
): Promise<JWTPayload | undefined> {
  if (keys.length === 0) return undefined;
  try {
    const { payload } = await jwtVerify(token, keySet(keys), {
      issuer,
      // Only the algorithms of published keys are accepted, each with its own key. A key never verifies a signature of another
      // algorithm (RFC 8725 §3.1).
      algorithms: keys.flatMap(listKeyUses).map(({ alg }) => alg),
      requiredClaims: ['exp', 'iat', 'sub', 'aud'],
      ...expected,
    });
    return payload;
  } catch {
    return undefined;
  }
}

/**
 * Verifies an access token of this service (RFC 9068 §4): signature by a published key, `typ` at+jwt (which ID tokens do not
 * have), issuer, and expiry without tolerance. Returns undefined for any other token; see `findTokenFault`.
 */
export async function verifyAccessToken(
  token: string,
  keys: readonly SigningKey[],
  issuer: string,
): Promise<VerifiedAccessToken | undefined> {
  const payload = await verifyOwn(token, keys, issuer, { typ: 'at+jwt' });
  return payload && readClaims(payload);
}

/** Returns the reason why a token is not a valid access token, based on its unverified content. `at` is in epoch seconds. */
export function findTokenFault(token: string, at: number): TokenFault {
  try {
    const { exp = at + 1 } = decodeJwt(token);
    return decodeProtectedHeader(token).typ === 'at+jwt' && exp <= at ? 'expired' : 'malformed';
  } catch {
    return 'malformed';
  }
}

/** User and client of an ID token. The tenant is that of the client, because ID tokens contain `tid` only on request. */
export interface VerifiedIdToken {
  readonly userId: string;
  readonly clientId: string;
}

/**
 * Verifies an ID token of this service. An expired token is accepted, because the token is only a hint about a login, never a
 * permission (OpenID Connect RP-Initiated Logout 1.0 §4). Returns undefined for any other token.
 */
export async function verifyIdTokenHint(
  token: string,
  keys: readonly SigningKey[],
  issuer: string,
): Promise<VerifiedIdToken | undefined> {
  const clockTolerance = Number.MAX_SAFE_INTEGER;
  const payload = await verifyOwn(token, keys, issuer, { typ: 'JWT', clockTolerance });
  const { sub: userId, aud: clientId } = payload ?? {};
  return userId && typeof clientId === 'string' ? { userId, clientId } : undefined;
}
