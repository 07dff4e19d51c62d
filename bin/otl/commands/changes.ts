import { listChanges } from '../../../shared/domain/management/changes.ts';
import { toChangeRecord } from '../../../shared/domain/users/timeline-record.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';

const { list } = recordCommands('changes');

/**
 * Commands that list configuration changes. The commands also work with AWS credentials, because changes that belong to no
 * other tenant are recorded in the operators' own tenant, which has no API client.
 */
export const changes: CommandGroup = {
  name: 'changes',
  summary: nouns.changes.summary,
  commands: [
    {
      ...list,
      run: async ({ ports, tenant, option, page }) => {
        const filter = { user_id: option('user'), operator: option('operator'), kind: option('kind') };
        const found = await listChanges(ports, await tenant(), filter, page);
        return listOutcome(found, toChangeRecord, nouns.changes.verbs.list.columns);
      },
    },
  ],
};
