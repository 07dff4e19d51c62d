import { awaitAll } from '../../domain/basis/await-all.ts';
import { newId } from '../../domain/basis/random.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { newSessionId } from '../../domain/sessions/session.ts';
import { firstProofOf } from '../../domain/users/first-proof.ts';
import type { Using } from '../../ports/uses.ts';
import { answerLogin, type BackendLogin } from './backend-login.ts';
import type { LoginPorts } from './complete-login.ts';

/** Ends A2 and A4: the first proof of an address puts what was there before it to sleep. */
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
