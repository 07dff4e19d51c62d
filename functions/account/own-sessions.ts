import { hashSecret } from '../../shared/domain/basis/random.ts';
import type { UseCase } from '../../shared/operation.ts';
import { changeAccount } from './own-account.ts';
import type * as rows from './rows.ts';

/** Returns the hash that identifies a session on the account page. The session ID itself is known only to backends. */
export const toSessionItem = (sessionId: string): string => hashSecret(sessionId);

/** Ends one session of the user. Does nothing if the session is another user's or has ended. */
export const endOwnSession: UseCase<typeof rows.endOwnSession> = (input, ports) =>
  changeAccount(ports, input, {
    part: 'sessions',
    says: 'ended',
    apply: async ({ user, context: { now } }) => {
      const sessions = await ports.sessions.listOf(user.userId, now);
      const named = sessions.find(({ sessionId }) => toSessionItem(sessionId) === input.form.item);
      if (!named || !(await ports.sessions.end(named.sessionId, now))) return undefined;
      return { sessionId: named.sessionId, events: ['session.ended'] };
    },
  });

/**
 * Revokes the user's consent for a client that is identified by its metadata document, and all tokens that are based on the
 * consent.
 */
export const endOwnConsent: UseCase<typeof rows.endOwnConsent> = (input, ports) =>
  changeAccount(ports, input, {
    part: 'consents',
    says: 'grant.ended',
    apply: async ({ user: { userId } }) => {
      const isEnded = await ports.consents.end(userId, input.form.item ?? '');
      return isEnded ? { events: ['grant.ended'] } : undefined;
    },
  });

/** Ends all sessions of the user except that of this browser. */
export const endOtherSessions: UseCase<typeof rows.endOtherSessions> = (input, ports) =>
  changeAccount(ports, input, {
    part: 'sessions',
    says: 'ended',
    apply: async ({ user, session, context: { now } }) => {
      const ended = await ports.sessions.endAllOf(user.userId, now, session.sessionId);
      return ended === 0 ? undefined : { events: ['session.ended'] };
    },
  });
