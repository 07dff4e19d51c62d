import { awaitAll } from '../domain/basis/await-all.ts';
import { maySessionGoOn } from '../domain/users/user-status.ts';
import type { UserCaller } from '../operation.ts';
import type { Session } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import type { Using } from '../ports/uses.ts';
import { familyClaim } from './issue.ts';

export type LivingTokenPorts = Using<'clients' | 'sessions.find' | 'revokedTokens.isRevoked' | 'users.find'>;

/** A user's token with its living session. */
export interface LivingLogin {
  readonly user: User;
  readonly session: Session;
}

/**
 * The user and session of a user's access token, unless the token is revoked at `now` (epoch seconds): with its user, its
 * session, its refresh family or its client, or alone. Signature and expiry tell none of this. The clients of a deleted
 * application are deleted before it.
 */
export async function findLivingLogin(
  ports: LivingTokenPorts,
  token: UserCaller,
  now: number,
): Promise<LivingLogin | undefined> {
  const [session, user, client, revoked] = await awaitAll(
    ports.sessions.find(token.sessionId, now),
    ports.users.find(token.userId),
    ports.clients.find(token.clientId, { fresh: true }),
    ports.revokedTokens.isRevoked(token.jti, now),
  );
  if (!session || revoked || client?.applicationId !== token.applicationId) return undefined;
  if (session.tenantId !== token.tenantId || !maySessionGoOn(user, session)) return undefined;
  const belongs = session.families.some(({ familyId }) => familyClaim(familyId) === token.familyClaim);
  return token.familyClaim === undefined || belongs ? { user, session } : undefined;
}
