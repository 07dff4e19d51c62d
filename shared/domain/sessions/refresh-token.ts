// Refresh tokens: `<userId>.<random of session>.<family>.<secret>`. Each use replaces the token by a successor. If a token is
// used again, it was stolen, or its response was lost. While the successor is unused, the token gets the same response again
// for ten seconds. After that, a client that has authenticated gets another successor. A client without authentication gets the
// same successor for as long as its application allows; later, the whole family is revoked (RFC 9700 §4.14.2). Clients that
// authenticate with a key may keep their tokens instead (FAPI 2.0 Security Profile §5.3.2.1-9).
import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { Client } from '../../ports/directory.ts';
import type { RefreshFamily, RotatedToken, Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { REFRESH_GRACE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { areSecretsEqual, hashSecret, newId, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { idleEndAfter } from './session-lifetimes.ts';

const PURPOSE = 'refresh-successor';

export interface RefreshToken {
  readonly sessionId: string;
  readonly userId: string;
  readonly familyId: string;
  readonly secret: string;
}

export function invalidRefreshTokenError(audit?: ErrorDetail['audit']): ServiceError {
  return new ServiceError('invalid_grant', {
    message: 'refresh_token: is invalid, expired or already used',
    ...(audit && { audit }),
  });
}

/** Pattern of a refresh token. IDs have 25 characters and secrets 43; longer texts must not become the key of an item. */
const FORM = /^([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{43})$/;

/** Splits a refresh token into its parts. Returns undefined if it does not have the form of our tokens. */
export function parseRefreshToken(token: string): RefreshToken | undefined {
  const [, userId, random, familyId, secret] = FORM.exec(token) ?? [];
  if (!userId || !random || !familyId || !secret) return undefined;
  return { sessionId: `${userId}.${random}`, userId, familyId, secret };
}

export interface FoundFamily {
  readonly session: Session;
  readonly family: RefreshFamily;
}

/** Finds the family of a refresh token if the family is valid at `at` (epoch seconds). Does not check the token's secret. */
export async function findFamily(
  ports: PortsWith<'sessions.find'>,
  token: RefreshToken,
  at: number,
): Promise<FoundFamily | undefined> {
  const session = await ports.sessions.find(token.sessionId, at);
  const family = session?.families.find(({ familyId }) => familyId === token.familyId);
  return session && family && family.expiresAt > at ? { session, family } : undefined;
}

/** Returns true if a refresh does not rotate the token, because rotation is off and the client proves a key by JWT or DPoP. */
export function keepsRefreshToken(
  { refreshTokenRotation, authMethod }: Client,
  { dpopJkt }: RefreshFamily,
): boolean {
  if (refreshTokenRotation !== false || authMethod === 'none') return false;
  return authMethod === 'private_key_jwt' || dpopJkt !== undefined;
}

export function isCurrentToken({ family }: FoundFamily, token: RefreshToken): boolean {
  return areSecretsEqual(hashSecret(token.secret), family.currentHash);
}

/** Result of a refresh, with the facts that a repeated response must contain again. */
export interface Rotation {
  readonly proof: AuthenticationProof;
  readonly refreshToken: string;
  readonly jti: string;
  /** Scope of the first response to this refresh, which a repeated response must contain again. */
  readonly scope: string;
  /** Time in epoch seconds at which the access and ID tokens are issued. */
  readonly at: number;
  /** True if a public client without a DPoP key has repeated the refresh after more than ten seconds. */
  readonly isRepeated?: true;
}

function formatToken({ sessionId, familyId }: RefreshToken, secret: string): string {
  return `${sessionId}.${familyId}.${secret}`;
}

/** Returns the proof for refreshed tokens: the proof of the login, because a refresh is not a new authentication. */
function readLastProof({ family }: FoundFamily): AuthenticationProof {
  const last = family.methods.at(-1);
  if (!last) throw new Error('a refresh family without any authentication');
  return provenBy({ method: last.method, at: family.authTime });
}

export interface RotationFacts {
  /** Time of the rotation in epoch seconds. */
  readonly at: number;
  /** Lifetime of the successor, which never exceeds the end of the family. */
  readonly lifetimeSeconds: number;
  /** JWK thumbprint of the DPoP key that the new access token is bound to. */
  readonly dpopJkt: string | undefined;
  readonly scope: string;
  /** Current record of the client, which may have changed since the login. */
  readonly client: Client;
  /** Value of `refresh_reuse_seconds` in the client's application. */
  readonly reuseSeconds: number;
}

type RotationPorts = PortsWith<'sessions.endFamily' | 'sessions.find' | 'sessions.renew' | 'sessions.rotate'>;

const endsAfter = ({ session, family }: FoundFamily, { at, lifetimeSeconds }: RotationFacts) => ({
  familyExpiresAt: Math.min(at + lifetimeSeconds, family.endsAt),
  sessionExpiresAt: idleEndAfter(session, at),
});

/** Refreshes the tokens but keeps the refresh token. Returns undefined if the token is no longer the current one. */
async function keep(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation | undefined> {
  const { at, scope } = facts;
  const { sessionId, familyId } = token;
  const presentedHash = hashSecret(token.secret);
  if (!(await ports.sessions.renew(sessionId, familyId, { at, presentedHash, ...endsAfter(found, facts) })))
    return undefined;
  return {
    proof: readLastProof(found),
    refreshToken: formatToken(token, token.secret),
    jti: newId(),
    at,
    scope,
  };
}

/** Replaces a refresh token, or its unused successor, by a new successor. Returns undefined after a concurrent rotation. */
async function rotate(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts & { readonly unused?: RotatedToken },
): Promise<Rotation | undefined> {
  const { at, dpopJkt, scope, unused } = facts;
  const { family } = found;
  const successor = newSecret();
  const jti = newId();
  const previous = omitUndefined<RotatedToken>({
    hash: hashSecret(token.secret),
    rotatedAt: at,
    expiresAt: unused ? unused.expiresAt : family.expiresAt,
    sealedSuccessor: seal(token.secret, PURPOSE, successor),
    jti,
    scope: scope === family.scope ? undefined : scope,
    dpopJkt: dpopJkt === family.dpopJkt ? undefined : dpopJkt,
  });
  const rotated = await ports.sessions.rotate(token.sessionId, token.familyId, {
    at,
    nextHash: hashSecret(successor),
    previous,
    ...(unused ? { unusedHash: family.currentHash } : {}),
    ...endsAfter(found, facts),
  });
  if (!rotated) return undefined;
  return { proof: readLastProof(found), refreshToken: formatToken(token, successor), jti, at, scope };
}

/**
 * Handles a rotated token whose successor is unused. Within ten seconds, the response is repeated. Later, a client that
 * authenticates or proves its key gets another successor, unless the token has expired. Any other client could be a thief who
 * has only the token, so it gets the same successor until `reuseSeconds` have passed: if the thief and the owner both use this
 * successor, the reuse is detected.
 */
async function repeatOrReplace(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation | undefined> {
  const { family } = found;
  const { previous, dpopJkt: boundTo } = family;
  if (!previous || !areSecretsEqual(hashSecret(token.secret), previous.hash)) return undefined;
  const isProven = facts.client.authMethod !== 'none' || boundTo !== undefined;
  const age = facts.at - previous.rotatedAt;
  if (isProven && age > REFRESH_GRACE_SECONDS)
    return previous.expiresAt > facts.at
      ? rotate(ports, found, token, { ...facts, unused: previous })
      : undefined;
  if (!isProven && age > facts.reuseSeconds) return undefined;
  const successor = unseal(token.secret, PURPOSE, previous.sealedSuccessor);
  const { jti, rotatedAt: at, scope = family.scope, dpopJkt = boundTo } = previous;
  // A repeated response must equal the first one, so the refresh must use the same DPoP key.
  if (successor === undefined || dpopJkt !== facts.dpopJkt) return undefined;
  const answer = { proof: readLastProof(found), refreshToken: formatToken(token, successor), scope };
  return age > REFRESH_GRACE_SECONDS
    ? // The first access token may have expired.
      { ...answer, jti: newId(), at: facts.at, isRepeated: true }
    : { ...answer, jti, at };
}

function answer(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation | undefined> {
  if (!isCurrentToken(found, token)) return repeatOrReplace(ports, found, token, facts);
  return keepsRefreshToken(facts.client, found.family)
    ? keep(ports, found, token, facts)
    : rotate(ports, found, token, facts);
}

/**
 * Refreshes the tokens of a login. A current refresh token is rotated or kept. For the most recently rotated refresh token, the
 * response is repeated, or the successor is replaced. If any other refresh token is used, its family is revoked, because the
 * token may be stolen. Errors: `invalid_grant`.
 */
export async function rotateRefreshToken(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation> {
  const first = await answer(ports, found, token, facts);
  if (first) return first;
  // A concurrent request may have rotated after the read.
  const latest = await findFamily(ports, token, facts.at);
  const second = latest && (await answer(ports, latest, token, facts));
  if (second) return second;
  const { userId, sessionId } = found.session;
  return endFamily(ports, token, facts.at, { userId, sessionId, events: ['token.reused'] });
}

/** Revokes a token family whose token was reused, or whose user may no longer log in, and throws `invalid_grant`. */
export async function endFamily(
  ports: PortsWith<'sessions.endFamily'>,
  token: RefreshToken,
  at: number,
  audit?: ErrorDetail['audit'],
): Promise<never> {
  await ports.sessions.endFamily(token.sessionId, token.familyId, at);
  throw invalidRefreshTokenError(audit);
}
