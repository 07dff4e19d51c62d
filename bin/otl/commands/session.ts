import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { sessionRecord } from '../../../shared/domain/sessions/session-record.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { SessionRecord } from '../../../shared/schemas/sessions.ts';
import type { CommandGroup } from '../engine/command.ts';
import type { Column } from '../terminal/outcome.ts';
import { aboutUser, ofUser, userOf } from './user-option.ts';

const columns: readonly Column<SessionRecord>[] = [
  { heading: 'SESSION', text: (session) => session.session_id, flexible: true },
  { heading: 'SINCE', text: (session) => session.start_time },
  { heading: 'UNTIL', text: (session) => session.expiration_time },
];

export const session: CommandGroup = {
  name: 'session',
  summary: 'logins of a user that live',
  about: aboutUser,
  commands: [
    {
      verb: 'list',
      summary: 'Lists the living sessions of a user',
      required: ofUser,
      examples: ['--user 0a1b2c'],
      run: async (call) => {
        const sessions = await call.ports.sessions.listOf(await userOf(call), nowSeconds());
        return {
          list: { result: sessions.map(sessionRecord) },
          bare: true,
          columns,
        };
      },
    },
    {
      verb: 'end',
      summary: 'Ends one session, with its refresh tokens',
      changes: 'session.ended',
      id: 'required',
      examples: ['0a1b2c.3d4e5f'],
      run: async ({ ports, tenant, id, audit }) => {
        const session = await ports.sessions.find(id, nowSeconds());
        const { tenantId } = await tenant();
        if (session?.tenantId !== tenantId) throw new ServiceError('session_not_found');
        audit({ userId: session.userId, sessionId: id });
        await ports.sessions.end(id, nowSeconds());
        return { done: `The session ${id} has ended.` };
      },
    },
    {
      verb: 'delete',
      summary: 'Ends all sessions of a user, with their refresh tokens',
      changes: 'session.ended',
      required: ofUser,
      confirm: () => 'End all sessions of the user',
      examples: ['--user 0a1b2c --yes'],
      run: async (call) => {
        const userId = await userOf(call);
        await call.ports.sessions.endAllOf(userId, nowSeconds());
        return { done: `The user ${userId} is logged out everywhere.` };
      },
    },
  ],
};
