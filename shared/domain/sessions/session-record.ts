import type { Session } from '../../ports/flows.ts';
import { toWireDate } from '../basis/time.ts';

/** Returns a session as the API shows it to its user and to clients. */
export const sessionRecord = ({ sessionId, startedAt, expiresAt, endsAt, binding }: Session) => ({
  session_id: sessionId,
  start_time: toWireDate(startedAt),
  expiration_time: toWireDate(Math.min(expiresAt, endsAt)),
  ...(binding?.key === undefined ? {} : { device_bound: true }),
});
