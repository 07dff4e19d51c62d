import { awaitAll } from '../domain/basis/await-all.ts';
import type { UserCaller } from '../operation.ts';
import type { Session } from '../ports/flows.ts';
import type { Using } from '../ports/uses.ts';
import { familyClaim } from './issue.ts';

export type LivingTokenPorts = Using<'clients' | 'sessions.find' | 'revokedTokens.isRevoked'>;

/**
 * The session of a user's access token, unless the token is revoked at `now` (epoch seconds): with its session, with its
 * refresh family, with its client, or alone. Signature and expiry tell none of this. The clients of a deleted application
 * are deleted before it.
 */
export async function findLivingSession(
  ports: LivingTokenPorts,
  token: UserCaller,
  now: number,
): Promise<Session | undefined> {
  const [session, client, revoked] = await awaitAll(
    ports.sessions.find(token.sessionId, now),
    ports.clients.find(token.clientId, { fresh: true }),
    ports.revokedTokens.isRevoked(token.jti, now),
  );
  if (!session || revoked || session.userId !== token.userId) return undefined;
  if (client?.applicationId !== token.applicationId) return undefined;
  const belongs = session.families.some(({ familyId }) => familyClaim(familyId) === token.familyClaim);
  return token.familyClaim === undefined || belongs ? session : undefined;
}
