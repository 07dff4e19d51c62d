import { toWireDate } from '../../shared/domain/basis/time.ts';
import type { SecurityEvent } from '../../shared/ports/events.ts';

/**
 * Type of the internal event that requests a logout notice to a client. Only the webhook queue gets it; no timeline stores it.
 */
const LOGOUT_DUE = 'logout.due';

export const isLogoutDue = ({ type }: SecurityEvent): boolean => type === LOGOUT_DUE;

/** Session that has ended, and the client that must be notified of the logout; `at` is in epoch seconds. */
interface DueLogout {
  readonly tenant_id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly clientId: string;
  readonly at: number;
}

/**
 * Creates the event that makes the webhook worker notify a client of a logout. `webhooks: 1` routes it to the worker's queue.
 */
export const createLogoutDue = ({
  tenant_id,
  userId,
  sessionId,
  clientId,
  at,
}: DueLogout): SecurityEvent => ({
  id: `${sessionId}/${clientId}/${LOGOUT_DUE}`,
  type: LOGOUT_DUE,
  time: toWireDate(at),
  tenant_id,
  user_id: userId,
  session_id: sessionId,
  client_id: clientId,
  webhooks: 1,
});

/** Returns true if an event can end sessions, as logouts and account changes can. Logins and new users end no session. */
export const mayEndSessions = ({ type, user_id, tenant_id }: SecurityEvent): boolean =>
  user_id !== undefined && tenant_id !== undefined && !type.startsWith('login.') && type !== 'user.created';
