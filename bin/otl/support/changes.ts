import { listChanges } from '../../../shared/domain/management/changes.ts';
import { changeRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { CommandGroup } from '../engine/command.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';

type Change = ReturnType<typeof changeRecord>;

const columns: readonly Column<Change>[] = [
  { heading: 'TIME', text: ({ time }) => time.slice(0, 19).replace('T', ' ') },
  { heading: 'WHO', text: ({ operator, client_id }) => String(operator ?? client_id ?? '') },
  {
    heading: 'WHAT',
    text: ({ operation, record_id, user_id }) => [operation, record_id ?? user_id].filter(Boolean).join(' '),
  },
  {
    heading: 'VALUES',
    text: ({ changes }) =>
      changes.map(({ field, before = '–', after = '–' }) => `${field}: ${before} → ${after}`).join('; '),
    flexible: true,
    wraps: true,
  },
];

export const changes: CommandGroup = {
  name: 'changes',
  summary: 'who changed what, with the values before and after',
  commands: [
    {
      verb: 'list',
      isDefault: true,
      summary: 'Shows what management has changed in 400 days, newest first (times in UTC)',
      options: {
        'user <id>': 'changes about this user alone',
        'operator <who>': 'changes by this operator alone: a user ID, or the name of AWS credentials',
        'kind <kind>': 'changes of one kind of record alone, such as client',
      },
      paged: true,
      examples: ['', '--kind application', '--user 0a1b2c --json'],
      run: async ({ ports, tenant, option, page }) => {
        const filter = { user_id: option('user'), operator: option('operator'), kind: option('kind') };
        return listOutcome(await listChanges(ports, await tenant(), filter, page), changeRecord, columns);
      },
    },
  ],
};
