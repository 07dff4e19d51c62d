import { wireDate } from '../../shared/domain/basis/time.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';

/** A client is to be told of the end of a session. On its way to the queue of webhooks alone: in no timeline. */
const LOGOUT_DUE = 'logout.due';

export const isLogoutDue = ({ type }: SecurityEvent): boolean => type === LOGOUT_DUE;

interface Due {
  readonly tenant_id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly clientId: string;
  readonly at: number;
}

export const logoutDue = ({ tenant_id, userId, sessionId, clientId, at }: Due): SecurityEvent => ({
  id: `${sessionId}/${clientId}/${LOGOUT_DUE}`,
  type: LOGOUT_DUE,
  time: wireDate(at),
  tenant_id,
  user_id: userId,
  session_id: sessionId,
  client_id: clientId,
  webhooks: 1,
});

/** Sessions end at logouts and by changes of an account, never by a login. */
export const mayEndSessions = ({ type, user_id, tenant_id }: SecurityEvent): boolean =>
  user_id !== undefined && tenant_id !== undefined && !type.startsWith('login.') && type !== 'user.created';
