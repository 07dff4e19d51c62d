import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller } from '../../operation.ts';
import type { Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { isIncompleteLogin } from '../credentials/mfa.ts';
import { isOnlyMovedSession } from '../trust/factor-types.ts';
import { findLatestAuthTime } from '../trust/login-time.ts';
import { filterValidSession } from './session.ts';
import { meetsSessionSettings } from './session-lifetimes.ts';

type Caller = Pick<ClientCaller, 'tenant' | 'application'>;

/**
 * Finds a session of the caller's application that is valid at `now` (epoch seconds). Ignores sessions of other applications.
 */
export async function findSessionOfClient(
  ports: PortsWith<'sessions.find'>,
  { tenant, application }: Caller,
  sessionId: string,
  now: number,
): Promise<Session | undefined> {
  const session = await ports.sessions.find(sessionId, now);
  const own = session?.tenantId === tenant.tenantId && session.applicationId === application.applicationId;
  return own ? session : undefined;
}

/**
 * Finds a session of the caller's application that new tokens may be issued for. Rejects a session that waits for its second
 * factor, because it does not count as a login. Also rejects a session that was moved from another system, because new tokens
 * would count as the user's first login. Errors: `session_not_found`.
 */
export async function requireSessionOfClient(
  ports: PortsWith<'sessions.find'>,
  caller: Caller,
  sessionId: string,
  now: number,
): Promise<Session> {
  const session = filterValidSession(
    await findSessionOfClient(ports, caller, sessionId, now),
    caller.application,
  );
  const isLogin = session && !isIncompleteLogin(session) && !isOnlyMovedSession(session.methods);
  const usable = isLogin && meetsSessionSettings(session, caller.application, now);
  if (!usable) throw new ServiceError('session_not_found');
  return session;
}

/** Returns the proof of a session's last authentication. */
export function provenBySession({ methods }: Session): AuthenticationProof {
  const last = methods.at(-1);
  if (!last) throw new Error('a session without any authentication');
  return provenBy({ method: last.method, at: last.at, authTime: findLatestAuthTime(methods) });
}
