import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { applicationsOf, withExternalApplication } from '../../../shared/domain/identifiers/external-ids.ts';
import { requireUser, requireUserByIdentifier } from '../../../shared/domain/identifiers/find-user.ts';
import { toTheEnd } from '../../../shared/domain/jobs/job.ts';
import { requireTestCode, testCodeRecord } from '../../../shared/domain/sending/test-code.ts';
import { findPeople } from '../../../shared/domain/support/find-people.ts';
import { TENANT } from '../../../shared/domain/trust/generations.ts';
import { createUser, namedApplications } from '../../../shared/domain/users/create-user.ts';
import { eraseUser } from '../../../shared/domain/users/erase-user.ts';
import { fittingUsers } from '../../../shared/domain/users/search-users.ts';
import { unlockUser } from '../../../shared/domain/users/unlock-user.ts';
import { type Changing, changesOf, updateUser } from '../../../shared/domain/users/update-user.ts';
import { type UserRecord, userRecord, userWithFields } from '../../../shared/domain/users/user-record.ts';
import { check } from '../../../shared/http/parse.ts';
import type { FoundUser } from '../../../shared/ports/people.ts';
import { type Fields, settable } from '../../../shared/records/field.ts';
import { nameFields } from '../../../shared/records/profile.ts';
import { userFields } from '../../../shared/records/user.ts';
import { CreateUserBody, UpdateUserBody, UserSearchQuery } from '../../../shared/schemas/users.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOf } from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';
import { shortDate } from '../terminal/print.ts';
import { moreUserCommands } from './user-commands.ts';

const VALUES: Readonly<Record<string, string>> = { picture: 'uri', language: 'tag' };

/** Options of the fields of a table, which are in `within` of the body. */
const plain = (table: Fields, within = '') =>
  settable(table).map(([name, kind]) => ({
    flag: (kind === 'texts' || kind === 'records' ? name.replace(/s$/, '') : name).replaceAll('_', '-'),
    field: within + name,
    ...(kind === 'records' ? { kind: 'pairs' as const } : {}),
    ...(VALUES[name] ? { value: VALUES[name] } : {}),
  }));

const fields = fieldsOf(UpdateUserBody, [
  { flag: 'email', value: 'address' },
  { flag: 'phone-number', value: 'number' },
  { flag: 'external-user-id', value: 'id' },
  { flag: 'external-application', value: 'id' },
  ...plain(nameFields, 'name.'),
  ...plain(userFields),
  { flag: 'status', updateOnly: true },
  { flag: 'end-sessions', updateOnly: true },
  { flag: 'email-verified', updateOnly: true },
  { flag: 'phone-number-verified', updateOnly: true },
]);

const ofNewUser = fieldsOf(CreateUserBody, [{ flag: 'application', field: 'applications', value: 'id' }]);

const nameOf = ({ email, phone_number: phone, username }: UserRecord) =>
  email?.value ?? phone?.value ?? username ?? '';

const columns: readonly Column<UserRecord>[] = [
  { heading: 'USER', text: (user) => user.user_id },
  { heading: 'STATUS', text: (user) => user.status },
  { heading: 'KNOWN AS', text: nameOf, flexible: true },
  { heading: 'MADE', text: (user) => shortDate(user.created_at) },
];

/** The query of `GET /v1/users`. */
function searchOf({ option }: Call): object {
  const asked = {
    q: option('search'),
    status: option('status'),
    group: option('group'),
    external_user_id: option('external-user-id'),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

const LOOKUPS = { email: 'email', phoneNumber: 'phone_number', username: 'username' } as const;

async function find({ ports, tenant, id, option }: Call) {
  if (id !== '') return requireUser(ports.users, await tenant(), id);
  for (const [flag, type] of Object.entries(LOOKUPS)) {
    const value = option(flag);
    if (value !== undefined) return requireUserByIdentifier(ports, await tenant(), type, value);
  }
  throw new UsageError('Name the user: <id>, --email, --phone-number or --username.');
}

export const user: CommandGroup = {
  name: 'user',
  summary: 'people who log in',
  about: ({ id }) => ({ userId: id }),
  commands: [
    {
      verb: 'create',
      summary: 'Makes a user with at least an email address, a phone number or a username',
      changes: 'user.created',
      fields: [...fields, ...ofNewUser],
      examples: [
        '--email ann@example.com',
        '--phone-number +12015550123 --first-name Ann --group staff',
        '--username ann --custom-identifier loyalty_card=A-7',
      ],
      run: withBody(CreateUserBody, async ({ ports, tenant, body, audit }) => {
        const owner = await tenant();
        const known = await applicationsOf(ports, owner);
        const applications = namedApplications(known, body.applications);
        const named = withExternalApplication(known, body);
        const made = await createUser(ports, owner, named, { applications, at: nowSeconds() });
        audit({ userId: made.userId });
        return { record: userRecord(made) };
      }),
    },
    {
      verb: 'list',
      summary: 'Lists the users of the tenant, oldest first, or those that fit all that is asked for',
      paged: true,
      options: {
        'search <text>': 'a part of a name or an address, whatever its case',
        'status <status>': 'Pending, Active or Disabled',
        'group <group>': 'a group that they are in',
        'external-user-id <id>': 'ID in the system of any application',
      },
      examples: ['', '--limit 100 --json', '--search ann --status Active'],
      run: async (call) => {
        const fits = fittingUsers(check(UserSearchQuery, searchOf(call)));
        const { tenantId } = await call.tenant();
        return listOutcome(await call.ports.userRecords.list(tenantId, call.page, fits), userRecord, columns);
      },
    },
    {
      verb: 'find',
      summary: 'Finds users by the beginning of an address or a name, or by a whole number or ID',
      id: 'required',
      paged: true,
      examples: ['ann', '+12015550123', 'miller --limit 10'],
      run: async ({ ports, tenant, id, page }) => {
        const found = await findPeople(ports, await tenant(), id, { ...page, wholeAlone: false });
        const record = ({ user: each, by }: FoundUser) => ({ ...userRecord(each), found_by: by });
        const foundBy = { heading: 'FOUND BY', text: (each: ReturnType<typeof record>) => each.found_by };
        return listOutcome(found, record, [...columns, foundBy]);
      },
    },
    {
      verb: 'show',
      summary: 'Shows a user',
      id: 'optional',
      options: {
        'email <address>': 'find by email address',
        'phone-number <number>': 'find by phone number',
        'username <text>': 'find by username',
      },
      examples: ['0a1b2c', '--email ann@example.com --json'],
      run: async (call) => ({ record: userRecord(await find(call)) }),
    },
    {
      verb: 'update',
      summary: 'Changes a user: the given fields, lists as a whole; a changed address is unverified',
      changes: 'user.updated',
      id: 'required',
      fields,
      examples: ['0a1b2c --email ann@new.example', '0a1b2c --status Disabled', "0a1b2c --phone-number ''"],
      run: withBody(UpdateUserBody, async ({ ports, tenant, id, body, audit }) => {
        const [who, now] = [{ tenant: await tenant(), userId: id }, nowSeconds()];
        const given = withExternalApplication(await applicationsOf(ports, who.tenant), body);
        const changing: Changing = {
          apply: (user) => userWithFields(user, given, now, { how: 'backend', scope: TENANT }),
          undoneBy: 'link',
          endsSessions: body.end_sessions !== false,
          onChange: (before, after) => audit({ events: changesOf(before, after) }),
        };
        return { record: userRecord(await updateUser(ports, who, changing, now)) };
      }),
    },
    {
      verb: 'unlock',
      summary: 'Forgets failed tries and locks of all codes of a user',
      changes: 'user.unlocked',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => {
        const who = { tenant: await tenant(), userId: id };
        return { record: userRecord((await unlockUser(ports, who, toTheEnd(nowSeconds()))).user) };
      },
    },
    {
      verb: 'test-code',
      summary: 'Shows the last passcode of a test user',
      id: 'required',
      examples: ['0a1b2c'],
      run: async ({ ports, tenant, id }) => ({
        record: testCodeRecord(await requireTestCode(ports, { tenant: await tenant() }, id, nowSeconds())),
      }),
    },
    ...moreUserCommands,
    {
      verb: 'delete',
      summary: 'Erases a user with everything that belongs to them',
      changes: 'user.erased',
      id: 'required',
      confirm: (id) => `Erase the user ${id} with sessions, codes, identifiers and memberships`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async ({ ports, tenant, id }) => {
        await eraseUser(ports, { tenant: await tenant(), userId: id }, toTheEnd(nowSeconds()));
        return { done: `The user ${id} is erased.` };
      },
    },
  ],
};
