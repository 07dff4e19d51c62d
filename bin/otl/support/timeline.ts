import { listRecord } from '../../../shared/domain/basis/paging.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireUser } from '../../../shared/domain/identifiers/find-user.ts';
import { normaliseIdentifier } from '../../../shared/domain/identifiers/identifier.ts';
import { holdWords, wordsOf } from '../../../shared/domain/support/event-words.ts';
import { deliveriesTo, holdsOf, timelineOf } from '../../../shared/domain/support/support-view.ts';
import { type TimelineRecord, timelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { Command, CommandGroup } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';
import type { Column } from '../terminal/outcome.ts';

const columns: readonly Column<TimelineRecord>[] = [
  { heading: 'TIME', text: ({ time }) => time.slice(0, 19).replace('T', ' ') },
  { heading: 'WHAT', text: wordsOf, flexible: true, wraps: true },
  { heading: 'FROM', text: ({ ip_address, source_address }) => String(ip_address ?? source_address ?? '') },
  {
    heading: 'MESSAGE OR REQUEST',
    text: ({ message_id, request_id }) => String(message_id ?? request_id ?? ''),
  },
];

export const timelineCommand: Command = {
  verb: 'timeline',
  summary: 'Shows why a code did not come, and what happened to a user, newest first (times in UTC)',
  id: 'required',
  paged: true,
  examples: ['0a1b2c', '0a1b2c --limit 100 --json'],
  run: async ({ ports, tenant: find, id, page }) => {
    const tenant = await find();
    const user = await requireUser(ports.users, tenant, id);
    const holds = await holdsOf(ports, tenant, user, nowSeconds());
    const list = { ...listRecord(await timelineOf(ports, tenant, user, page), timelineRecord), holds };
    return { list, columns, notes: holds.map(holdWords) };
  },
};

export const deliveries: CommandGroup = {
  name: 'deliveries',
  summary: 'messages to an address, also of one that no user has',
  commands: [
    {
      verb: 'list',
      isDefault: true,
      summary: 'Shows what was sent to an address, or was refused, newest first (times in UTC)',
      required: { 'to <address>': 'email address, or phone number in international form' },
      paged: true,
      examples: ['--to ann@example.com', '--to +12015550123 --json'],
      run: async ({ ports, tenant: find, option, page }) => {
        const to = option('to') ?? '';
        const address = normaliseIdentifier(to.includes('@') ? 'email' : 'phone_number', to);
        if (!address) throw new UsageError('--to takes an email address, or a phone number with its +.');
        const { page: found, user } = await deliveriesTo(ports, await find(), address, page);
        const record = listRecord(found, timelineRecord);
        return {
          list: user ? { ...record, user_id: user.userId } : record,
          columns,
          notes: [
            user
              ? `The user ${user.userId} has this address: otl user timeline ${user.userId}`
              : 'No user has this address.',
          ],
        };
      },
    },
  ],
};
