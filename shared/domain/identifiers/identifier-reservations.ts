import { ServiceError } from '../../errors/service-error.ts';
import type { Identifier, IdentifierClaim } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { CLAIM_FILL_SECONDS, ORPHANED_CLAIM_SECONDS } from '../basis/limits.ts';
import { hasIdentifier } from './identifier.ts';

export type ClaimPorts = Using<
  'userRecords.find' | 'identifierClaims.claim' | 'identifierClaims.takeOver' | 'identifierClaims.release'
>;

/** Claims of one attempt to write a user, to be filled by writing the user or given up. */
export interface HeldClaims {
  /** Those that this attempt made; the user may have held others before. */
  readonly made: readonly Identifier[];
  readonly at: number;
}

/** Claims are told apart by their time, so it has milliseconds. */
function now(): number {
  return Date.now() / 1000;
}

/** Claims lead to users who carry them. One that does not is a leftover of a crash, or of an attempt that still runs. */
async function isOrphaned(
  ports: Using<'userRecords.find'>,
  tenantId: string,
  identifier: Identifier,
  claim: IdentifierClaim,
  at: number,
): Promise<boolean> {
  if (at - claim.claimedAt < ORPHANED_CLAIM_SECONDS) return false;
  const owner = await ports.userRecords.find(claim.userId);
  return !owner || owner.tenantId !== tenantId || !hasIdentifier(owner, identifier);
}

async function claimOne(
  ports: Using<'userRecords.find' | 'identifierClaims.claim' | 'identifierClaims.takeOver'>,
  tenantId: string,
  identifier: Identifier,
  userId: string,
  at: number,
): Promise<'new' | 'own' | 'taken'> {
  const outcome = await ports.identifierClaims.claim(tenantId, identifier, userId, at);
  if (typeof outcome === 'string') return outcome;
  if (!(await isOrphaned(ports, tenantId, identifier, outcome, at))) return 'taken';
  const won = await ports.identifierClaims.takeOver(tenantId, identifier, outcome, userId, at);
  return won ? 'new' : 'taken';
}

/** Gives up what the user holds by claims that are not younger than `claimedUpTo`. */
export async function releaseIdentifiers(
  ports: Using<'identifierClaims.release'>,
  tenantId: string,
  userId: string,
  identifiers: readonly Identifier[],
  claimedUpTo = now(),
): Promise<void> {
  await Promise.all(
    identifiers.map((identifier) =>
      ports.identifierClaims.release(tenantId, identifier, userId, claimedUpTo),
    ),
  );
}

export function releaseClaims(
  ports: Using<'identifierClaims.release'>,
  tenantId: string,
  userId: string,
  claims: HeldClaims,
): Promise<void> {
  return releaseIdentifiers(ports, tenantId, userId, claims.made, claims.at);
}

const inOrder = (one: Identifier, other: Identifier) =>
  one.type < other.type || (one.type === other.type && one.value < other.value) ? -1 : 1;

/**
 * Claims all identifiers for a user, or none. One after the other and everybody in the same order: of two users with the
 * same identifiers one gets them all. Errors: `identifier_taken`.
 */
export async function claimIdentifiers(
  ports: ClaimPorts,
  tenantId: string,
  userId: string,
  identifiers: readonly Identifier[],
): Promise<HeldClaims> {
  const at = now();
  const made: Identifier[] = [];
  try {
    for (const identifier of identifiers.toSorted(inOrder)) {
      const outcome = await claimOne(ports, tenantId, identifier, userId, at);
      if (outcome === 'taken')
        throw new ServiceError('identifier_taken', {
          message: `${identifier.type}: belongs to another user`,
        });
      if (outcome === 'new') made.push(identifier);
    }
    return { made, at };
  } catch (error) {
    await releaseClaims(ports, tenantId, userId, { made, at });
    throw error;
  }
}

/**
 * To be asked right before the user is written: a process that slept on its claims may find them replaced.
 * Errors: `service_unavailable`.
 */
export async function requireTimely(
  ports: Using<'identifierClaims.release'>,
  tenantId: string,
  userId: string,
  claims: HeldClaims,
): Promise<void> {
  if (now() - claims.at < CLAIM_FILL_SECONDS) return;
  await releaseClaims(ports, tenantId, userId, claims);
  throw new ServiceError('service_unavailable');
}
