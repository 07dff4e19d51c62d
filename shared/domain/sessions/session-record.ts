import type { Session } from '../../ports/flows.ts';
import { wireDate } from '../basis/time.ts';

/** Returns a session as the API shows it to its user and to clients. */
export const sessionRecord = ({ sessionId, startedAt, expiresAt, endsAt }: Session) => ({
  session_id: sessionId,
  start_time: wireDate(startedAt),
  expiration_time: wireDate(Math.min(expiresAt, endsAt)),
});
