import { parseUserId } from '../../shared/domain/basis/random.ts';
import { isIncompleteLogin } from '../../shared/domain/credentials/mfa.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import {
  filterValidProofs,
  hasFactorProof,
  listProvenFactorTypes,
} from '../../shared/domain/trust/factor-types.ts';
import { findMissingProof, freshProofs } from '../../shared/domain/trust/missing-proof.ts';
import { isSessionValid } from '../../shared/domain/users/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../shared/operation.ts';
import type { FactorType } from '../../shared/ports/trust.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';

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
  ports: PortsWith<'sessions.find' | 'users.find' | 'passkeys.listOf'>,
  caller: ClientCaller | AdminCaller,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
  now: number,
): Promise<ReadonlySet<FactorType>> {
  if (caller.kind === 'admin' || parseUserId(sessionId) !== userId) throw refused();
  const { tenant, application } = caller;
  const { applicationId } = application;
  const user = await requireUser(ports.users, tenant, userId);
  const session = await ports.sessions.find(sessionId, now);
  if (!session || session.applicationId !== applicationId || isIncompleteLogin(session)) throw refused();
  if (!isSessionValid(user, session)) throw refused();
  const fresh = freshProofs(application, filterValidProofs(session.methods, applicationId), now);
  const passkeys = await ports.passkeys.listOf(userId);
  if (!hasFactorProof(fresh) || findMissingProof({ user, passkeys }, fresh, applicationId, now))
    throw refused();
  return listProvenFactorTypes(fresh);
}
