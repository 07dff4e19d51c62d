import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { CommandGroup } from '../engine/command.ts';
import { aboutUser } from './user-option.ts';

export const session: CommandGroup = {
  name: 'session',
  summary: nouns.session.summary,
  about: aboutUser,
  commands: [
    ...Object.values(recordCommands('session')),
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
  ],
};
