import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { cancelRecovery } from '../../../shared/domain/users/pending-recovery.ts';
import { toUserRecord } from '../../../shared/domain/users/user-record.ts';
import { noCallerError } from '../api/caller.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { Command, CommandGroup } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';

const { export: exportOne, ...others } = recordCommands('user');

/** Command `user export`. With an ID it exports all data about one user (API), otherwise all users (from the tables). */
const exportUsers: Command = {
  ...exportOne,
  summary:
    'Writes all users of the tenant to standard output, as records of the HTTP API or as CSV; with an ID, all data about that user',
  id: 'optional',
  options: { 'format <name>': 'jsonl (default) or csv, for the export of all users' },
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
    if (call.id !== '') throw noCallerError('user export <id>', {});
    return (await import('../user-transfer/export-command.ts')).exportCommand(call);
  },
};

const withoutOperation: readonly Command[] = [
  {
    verb: 'cancel-recovery',
    summary:
      'Cancels the pending recovery of a user, so that adding a credential needs two factor types again',
    changes: 'user.recovery_cancelled',
    id: 'required',
    examples: ['0a1b2c'],
    run: async ({ ports, tenant, id }) => ({
      record: toUserRecord(await cancelRecovery(ports, { ...(await tenant()), userId: id }, nowSeconds())),
    }),
  },
  {
    verb: 'import',
    summary: 'Creates users from a file, or from standard input (-); rows of existing users are skipped',
    changes: 'own-events',
    id: 'required',
    idHelp: 'file of users; - reads standard input',
    options: {
      'from <system>': 'read an export of cognito, auth0, firebase, clerk, supabase or keycloak',
      'format <name>':
        'jsonl (bodies of POST /v1/users, default) or csv; json is an export that contains a list of users',
      'application <id>': 'application of the users whose rows name none; separate several with commas',
      'trust-verified': 'trust what the other system has verified: addresses, accounts, passkeys',
      'keep-user-ids': 'keep the user IDs that have our format and are free',
      'rp-id <host>': 'RP ID for passkeys whose rows name none',
      'ignore <fields>': 'fields to leave out, as named in the error message; separate several with commas',
      'map <field=heading>': 'CSV only: which column holds a field; separate several with commas',
      'errors <file>': 'file for rejected rows, one JSON line each (default: stderr)',
      'checkpoint <file>': 'file that records the progress; the next run with it continues from there',
      'concurrency <number>':
        'rows processed at the same time, 1 to 100; fewer while the tables are busy (default: 20)',
      'dry-run': 'check all rows and whether their identifiers are taken, but create no users',
    },
    examples: [
      'users.jsonl --errors rejected.jsonl --checkpoint import.json',
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
