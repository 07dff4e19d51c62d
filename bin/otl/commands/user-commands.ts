import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { cancelErasure } from '../../../shared/domain/users/erase-user.ts';
import { exportUser } from '../../../shared/domain/users/export-user.ts';
import { clearPhoneRisk, reportPhoneRisk } from '../../../shared/domain/users/phone-risk.ts';
import { userRecord } from '../../../shared/domain/users/user-record.ts';
import { endWait, grantRecovery } from '../../../shared/domain/users/wait.ts';
import { PhoneRiskBody } from '../../../shared/schemas/users.ts';
import { type Command, withBody } from '../engine/command.ts';
import { fieldsOf } from '../engine/fields.ts';
import { timelineCommand } from '../support/timeline.ts';
import { UsageError } from '../terminal/failure.ts';

/** Import, export, timeline, and risks of phone numbers. */
export const moreUserCommands: readonly Command[] = [
  {
    verb: 'phone-risk',
    summary: 'Notes that the phone number of a user may be in other hands: codes by text count no more',
    changes: 'user.phone_risk_set',
    id: 'required',
    fields: fieldsOf(PhoneRiskBody, [
      { flag: 'signal' },
      { flag: 'observed-at', value: 'date' },
      { flag: 'reason', value: 'code' },
    ]),
    examples: ['0a1b2c --signal sim_swap', '0a1b2c --signal number_ported --reason carrier-feed'],
    run: withBody(PhoneRiskBody, async ({ ports, tenant, id, body }) => ({
      record: userRecord(
        await reportPhoneRisk(ports, { tenant: await tenant(), userId: id }, body, nowSeconds()),
      ),
    })),
  },
  {
    verb: 'clear-phone-risk',
    summary: 'Says that the phone number of a user is theirs again',
    changes: 'own-events',
    id: 'required',
    examples: ['0a1b2c'],
    run: async ({ ports, tenant, id, audit }) => {
      const { user, wasAtRisk } = await clearPhoneRisk(
        ports,
        { ...(await tenant()), userId: id },
        nowSeconds(),
      );
      if (wasAtRisk) audit({ events: ['user.phone_risk_cleared'] });
      return { record: userRecord(user) };
    },
  },
  {
    verb: 'recover',
    summary: 'Lets one kind of factor be enough at once for a user who has lost another, to bind a new one',
    changes: 'user.recovery_granted',
    id: 'required',
    confirm: (id) => `Let the user ${id} bind a factor by one kind alone`,
    examples: ['0a1b2c --yes'],
    run: async ({ ports, tenant, id }) => ({
      record: userRecord(await grantRecovery(ports, { ...(await tenant()), userId: id }, nowSeconds())),
    }),
  },
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
    verb: 'cancel-erasure',
    summary: 'Lets a user live on who has deleted their own account; works until they are erased',
    changes: 'own-events',
    id: 'required',
    examples: ['0a1b2c'],
    run: async ({ ports, tenant, id, audit }) => {
      const wasPending = await cancelErasure(ports, { ...(await tenant()), userId: id }, nowSeconds());
      if (wasPending) audit({ events: ['user.erasure_cancelled'] });
      return { done: wasPending ? `The user ${id} is not erased.` : 'Nothing was to be undone.' };
    },
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
  {
    verb: 'export',
    summary:
      'Writes all users of the tenant to the output, as records of the HTTP API or as CSV; with an ID, everything that is kept about that user',
    id: 'optional',
    options: { 'format <name>': 'jsonl (default) or csv, of all users' },
    examples: ['> users.jsonl', '--format csv > users.csv', '0a1b2c --json > ann.json'],
    run: async (call) => {
      if (call.id === '') return (await import('../user-transfer/export-command.ts')).exportCommand(call);
      if (call.option('format')) throw new UsageError('--format is for the export of all users.');
      return { record: await exportUser(call.ports, await call.tenant(), call.id, nowSeconds()) };
    },
  },
  timelineCommand,
];
