import type { Session } from '../../ports/flows.ts';
import { wireDate } from '../basis/time.ts';

/** A session on the wire, for its user and for clients. */
export const sessionRecord = ({ sessionId, startedAt, expiresAt, endsAt }: Session) => ({
  session_id: sessionId,
  start_time: wireDate(startedAt),
  expiration_time: wireDate(Math.min(expiresAt, endsAt)),
});
