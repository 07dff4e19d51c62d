import { awaitAll } from '../../domain/basis/await-all.ts';
import { newId } from '../../domain/basis/random.ts';
import { lackForBinding } from '../../domain/credentials/fresh-login.ts';
import { isProvenAt, provenAddress } from '../../domain/identifiers/proven-address.ts';
import { relyingPartyOf } from '../../domain/passkeys/relying-party.ts';
import { newSessionId } from '../../domain/sessions/session.ts';
import { firstProofOf } from '../../domain/users/first-proof.ts';
import type { Using } from '../../ports/uses.ts';
import { answerLogin, type BackendLogin } from './backend-login.ts';
import type { LoginPorts } from './complete-login.ts';

/**
 * Whether a session proves a new address with less than the account has: one factor must not make the second. Runs beside the
 * credential's consume.
 */
export async function isBoundByLess(
  ports: Using<'passkeys.listOf'>,
  { user, joined, caller, settings }: Pick<BackendLogin, 'user' | 'joined' | 'caller' | 'settings'>,
  deliveredToHash: string | undefined,
  at: number,
): Promise<boolean> {
  const { tenant, application } = caller;
  const proven = provenAddress(tenant, user, deliveredToHash);
  if (!joined || !proven || isProvenAt(user[proven.attribute], application)) return false;
  const passkeys = await ports.passkeys.listOf(user.userId);
  const { rpId } = relyingPartyOf(application, settings);
  const login = { user, application, rpId, passkeys, proofs: joined.methods, at };
  return lackForBinding(login) === 'second-factor';
}

/**
 * Ends A2 and A4. The first proof of an address puts what was there before it to sleep; in a session of the user it only adds
 * the address.
 */
export async function answerSentLogin(ports: LoginPorts & Using<'sessions.endAllOf'>, login: BackendLogin) {
  const { user, proof, caller, joined, audit } = login;
  if (joined) return answerLogin(ports, login);
  const proven = provenAddress(caller.tenant, user, proof.deliveredToHash);
  const { sleepsAt, endSessions } = firstProofOf(ports, user, proven, caller.application, proof.at, audit);
  if (sleepsAt === undefined) return answerLogin(ports, login);
  const ids = { sessionId: newSessionId(user.userId), familyId: newId() };
  const [answer] = await awaitAll(
    answerLogin(ports, { ...login, sleepsAt, ids }),
    endSessions(ids.sessionId),
  );
  return answer;
}
