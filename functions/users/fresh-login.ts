import { userOfSession } from '../../shared/domain/basis/random.ts';
import { isHalfLogin } from '../../shared/domain/credentials/mfa.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { hasPerson, kindsOf, usesAt } from '../../shared/domain/trust/kinds.ts';
import { freshProofs, lackAt } from '../../shared/domain/trust/lack.ts';
import { maySessionGoOn } from '../../shared/domain/users/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../shared/operation.ts';
import type { Kind } from '../../shared/ports/trust.ts';
import type { Using } from '../../shared/ports/uses.ts';

const refused = () =>
  new ServiceError('insufficient_permission', {
    message:
      'session_id: is not a fresh login of the user with the factors that adding a credential requires',
  });

/**
 * Returns the factor types of a fresh session of the user at the client's application, if they are enough to add a credential.
 * Proofs that only the client vouches for do not count.
 * @throws `insufficient_permission`, also for an admin token, which has no application
 */
export async function requireFreshLogin(
  ports: Using<'sessions.find' | 'users.find' | 'passkeys.listOf'>,
  caller: ClientCaller | AdminCaller,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: number,
): Promise<ReadonlySet<Kind>> {
  if (caller.kind === 'admin' || userOfSession(sessionId) !== userId) throw refused();
  const { tenant, application } = caller;
  const { applicationId } = application;
  const user = await requireUser(ports.users, tenant, userId);
  const session = await ports.sessions.find(sessionId, now);
  if (!session || session.applicationId !== applicationId || isHalfLogin(session)) throw refused();
  if (!maySessionGoOn(user, session)) throw refused();
  const fresh = freshProofs(application, usesAt(session.methods, applicationId), now);
  const passkeys = await ports.passkeys.listOf(userId);
  if (!hasPerson(fresh) || lackAt({ user, passkeys }, fresh, applicationId, now)) throw refused();
  return kindsOf(fresh);
}
