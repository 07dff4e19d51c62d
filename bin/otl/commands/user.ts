import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { userRecord } from '../../../shared/domain/users/user-record.ts';
import { endWait } from '../../../shared/domain/users/wait.ts';
import { nobodyMayCall } from '../api/caller.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { Command, CommandGroup } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';

const { export: exportOne, ...others } = recordCommands('user');

/** With an ID everything about one user, by the API; without it all users, from the tables. */
const exportUsers: Command = {
  ...exportOne,
  summary:
    'Writes all users of the tenant to the output, as records of the HTTP API or as CSV; with an ID, everything that is kept about that user',
  id: 'optional',
  options: { 'format <name>': 'jsonl (default) or csv, of all users' },
  examples: ['> users.jsonl', '--format csv > users.csv', '0a1b2c --json > ann.json'],
  request: {
    ...exportOne.request,
    operation({ id, option }) {
      if (id === '') return undefined;
      if (option('format')) throw new UsageError('--format is for the export of all users.');
      return 'exportUser';
    },
  },
  async run(call) {
    if (call.id !== '') throw nobodyMayCall('user export <id>', {});
    return (await import('../user-transfer/export-command.ts')).exportCommand(call);
  },
};

const withoutOperation: readonly Command[] = [
  {
    verb: 'cancel-recovery',
    summary: 'Stops the recovery of a user: it takes two kinds of factors again to bind a new one',
    changes: 'user.recovery_cancelled',
    id: 'required',
    examples: ['0a1b2c'],
    run: async ({ ports, tenant, id }) => ({
      record: userRecord(await endWait(ports, { ...(await tenant()), userId: id }, nowSeconds())),
    }),
  },
  {
    verb: 'import',
    summary: 'Makes users from a file, or from the input (-); a row that is there already is passed over',
    changes: 'own-events',
    id: 'required',
    idHelp: 'file of users; - reads the input',
    options: {
      'from <system>': 'the export of cognito, auth0, firebase, clerk, supabase or keycloak',
      'format <name>': 'jsonl (bodies of POST /v1/users, default) or csv; json is an export with a list',
      'application <id>': 'application of the users whose rows name none, several with commas',
      'trust-verified': 'what the other system has proven is proven here: addresses, accounts, passkeys',
      'keep-user-ids': 'users keep their IDs where those are like ours and free',
      'rp-id <host>': 'RP ID of passkeys that name none',
      'ignore <fields>': 'what may be lost, as the refusal names it, several with commas',
      'map <field=heading>': 'CSV: which column holds a field, several with commas',
      'errors <file>': 'where refused rows are told, one JSON line each (default: stderr)',
      'checkpoint <file>': 'notes how far the import is; the next run with it goes on from there',
      'concurrency <number>':
        'rows at the same time, 1 to 100; fewer while the tables are busy (default: 20)',
      'dry-run': 'checks all rows, asks whose their names are, and makes nobody',
    },
    examples: [
      'users.jsonl --errors refused.jsonl --checkpoint import.json',
      'users.jsonl --application app-1',
      'users.json --from keycloak --trust-verified --rp-id login.example.com --dry-run',
      'users.csv --format csv --map "email=E-mail,first_name=Given name" --dry-run',
    ],
    run: async (call) => (await import('../user-transfer/import-command.ts')).importCommand(call),
  },
];

export const user: CommandGroup = {
  name: 'user',
  summary: nouns.user.summary,
  about: ({ id }) => ({ userId: id }),
  commands: [...Object.values(others), exportUsers, ...withoutOperation],
};
