import { awaitAll } from '../domain/basis/await-all.ts';
import type { UserCaller } from '../operation.ts';
import type { Session } from '../ports/flows.ts';
import type { Using } from '../ports/uses.ts';
import { familyClaim } from './issue.ts';

/**
 * The session of a user's access token, unless the token is revoked at `now` (epoch seconds): with its session, with its
 * refresh family, or alone. Signature and expiry tell none of this.
 */
export async function findLivingSession(
  ports: Using<'sessions.find' | 'revokedTokens.isRevoked'>,
  token: UserCaller,
  now: number,
): Promise<Session | undefined> {
  const [session, revoked] = await awaitAll(
    ports.sessions.find(token.sessionId, now),
    ports.revokedTokens.isRevoked(token.jti, now),
  );
  if (!session || revoked || session.userId !== token.userId) return undefined;
  const belongs = session.families.some(({ familyId }) => familyClaim(familyId) === token.familyClaim);
  return token.familyClaim === undefined || belongs ? session : undefined;
}
