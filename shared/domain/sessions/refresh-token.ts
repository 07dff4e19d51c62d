import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { Client } from '../../ports/directory.ts';
import type { RefreshFamily, RotatedToken, Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { REFRESH_GRACE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { equalSecrets, hashSecret, newId, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { idleEndAfter } from './session-lifetimes.ts';

/**
 * Refresh tokens: `<userId>.<random of session>.<family>.<secret>`. Each use puts a successor in its place. A token that
 * comes back was stolen, or its answer was lost: for ten seconds it gets the same answer, while the successor is unused.
 * After that it gets another successor where the client has proven itself. One that proves nothing gets the same successor for
 * as long as its application says, else the whole family ends (RFC 9700 §4.14.2).
 * Clients that prove themselves by a key may keep their tokens instead (FAPI 2.0 Security Profile §5.3.2.1-9).
 */

const PURPOSE = 'refresh-successor';

export interface RefreshToken {
  readonly sessionId: string;
  readonly userId: string;
  readonly familyId: string;
  readonly secret: string;
}

export function badRefreshToken(audit?: ErrorDetail['audit']): ServiceError {
  return new ServiceError('invalid_grant', {
    message: 'refresh_token: is invalid, expired or used already',
    ...(audit && { audit }),
  });
}

/** IDs have 25 characters and secrets 43. Longer text must not become the key of an item. */
const FORM = /^([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{43})$/;

/** The parts of a token; undefined when it is not one of ours. */
export function parseRefreshToken(token: string): RefreshToken | undefined {
  const [, userId, random, familyId, secret] = FORM.exec(token) ?? [];
  if (!userId || !random || !familyId || !secret) return undefined;
  return { sessionId: `${userId}.${random}`, userId, familyId, secret };
}

export interface FoundFamily {
  readonly session: Session;
  readonly family: RefreshFamily;
}

/** The living family of a token, whatever its secret. */
export async function findFamily(
  ports: Using<'sessions.find'>,
  token: RefreshToken,
  at: number,
): Promise<FoundFamily | undefined> {
  const session = await ports.sessions.find(token.sessionId, at);
  const family = session?.families.find(({ familyId }) => familyId === token.familyId);
  return session && family && family.expiresAt > at && family.endsAt > at ? { session, family } : undefined;
}

/** Whether a refresh leaves the token as it is. One that rests on DPoP is bound to the key of its login. */
export function staysTheSame(
  { refreshTokenRotation, authMethod }: Client,
  { dpopJkt }: RefreshFamily,
): boolean {
  if (refreshTokenRotation !== false || authMethod === 'none') return false;
  return authMethod === 'private_key_jwt' || dpopJkt !== undefined;
}

export function isCurrent({ family }: FoundFamily, token: RefreshToken): boolean {
  return equalSecrets(hashSecret(token.secret), family.currentHash);
}

/** A rotated token, and what a repeated answer must say again. */
export interface Rotation {
  readonly proof: AuthenticationProof;
  readonly refreshToken: string;
  readonly jti: string;
  /** The scope of the first answer. */
  readonly scope: string;
  /** Epoch seconds at which the access and ID tokens are issued. */
  readonly at: number;
  /** A token that proves nothing came again after the ten seconds. */
  readonly isRepeated?: true;
}

function tokenOf({ sessionId, familyId }: RefreshToken, secret: string): string {
  return `${sessionId}.${familyId}.${secret}`;
}

/** A refresh is no new authentication: its tokens name the one that began the family. */
function proofOf({ family }: FoundFamily): AuthenticationProof {
  const last = family.methods.at(-1);
  if (!last) throw new Error('a refresh family without any authentication');
  return provenBy({ method: last.method, at: family.authTime });
}

export interface RotationFacts {
  /** Epoch seconds of the rotation. */
  readonly at: number;
  /** Of the successor; it never lives past the family's end. */
  readonly lifetimeSeconds: number;
  /** The key that the new access token is bound to. */
  readonly dpopJkt: string | undefined;
  readonly scope: string;
  /** The client as its record is now. */
  readonly client: Client;
  /** `refresh_reuse_seconds` of its application. */
  readonly reuseSeconds: number;
}

type RotationPorts = Using<'sessions.endFamily' | 'sessions.find' | 'sessions.renew' | 'sessions.rotate'>;

const endsAfter = ({ session, family }: FoundFamily, { at, lifetimeSeconds }: RotationFacts) => ({
  familyExpiresAt: Math.min(at + lifetimeSeconds, family.endsAt),
  sessionExpiresAt: idleEndAfter(session, at),
});

/** Answers with the same token; undefined when it is the current one no more. */
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
  return { proof: proofOf(found), refreshToken: tokenOf(token, token.secret), jti: newId(), at, scope };
}

/** Puts a successor in the place of the token, or of its unused successor; undefined when another call was faster. */
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
  return { proof: proofOf(found), refreshToken: tokenOf(token, successor), jti, at, scope };
}

/**
 * For the token whose successor is unused: its answer once more within ten seconds. Later another successor, where the client
 * authenticates or proves the key and the token has not expired. A thief needs the token of any other client alone: that one
 * gets the same successor until the application's time is over, so that a thief and the owner meet at the next turn of both.
 */
async function repeatOrReplace(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation | undefined> {
  const { family } = found;
  const { previous, dpopJkt: boundTo } = family;
  if (!previous || !equalSecrets(hashSecret(token.secret), previous.hash)) return undefined;
  const isProven = facts.client.authMethod !== 'none' || boundTo !== undefined;
  const age = facts.at - previous.rotatedAt;
  if (isProven && age > REFRESH_GRACE_SECONDS)
    return previous.expiresAt > facts.at
      ? rotate(ports, found, token, { ...facts, unused: previous })
      : undefined;
  if (!isProven && age > facts.reuseSeconds) return undefined;
  const successor = unseal(token.secret, PURPOSE, previous.sealedSuccessor);
  const { jti, rotatedAt: at, scope = family.scope, dpopJkt = boundTo } = previous;
  // A repeated answer is the same: equal claims, one key.
  if (successor === undefined || dpopJkt !== facts.dpopJkt) return undefined;
  const answer = { proof: proofOf(found), refreshToken: tokenOf(token, successor), scope };
  return age > REFRESH_GRACE_SECONDS
    ? // The first access token may be over.
      { ...answer, jti: newId(), at: facts.at, isRepeated: true }
    : { ...answer, jti, at };
}

function answer(
  ports: RotationPorts,
  found: FoundFamily,
  token: RefreshToken,
  facts: RotationFacts,
): Promise<Rotation | undefined> {
  if (!isCurrent(found, token)) return repeatOrReplace(ports, found, token, facts);
  return staysTheSame(facts.client, found.family)
    ? keep(ports, found, token, facts)
    : rotate(ports, found, token, facts);
}

/**
 * Rotates or keeps the token, or repeats or replaces its last rotation. Any other token ends its family.
 * Errors: `invalid_grant`.
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

/** Ends a family: its token was reused, or its user may not log in any more. Always throws. Errors: `invalid_grant`. */
export async function endFamily(
  ports: Using<'sessions.endFamily'>,
  token: RefreshToken,
  at: number,
  audit?: ErrorDetail['audit'],
): Promise<never> {
  await ports.sessions.endFamily(token.sessionId, token.familyId, at);
  throw badRefreshToken(audit);
}
