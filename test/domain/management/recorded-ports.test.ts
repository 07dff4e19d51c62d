import { expect, test } from '@jest/globals';
import { recordChanges } from '../../../shared/domain/management/recorded-ports.ts';
import type { AuditFacts } from '../../../shared/ports/audit.ts';
import { maskAddress } from '../../../shared/templates/mask.ts';
import { someApplication, someClient, someMembership, someUser } from '../../support/server/records.ts';

test('if a call writes records of two types, only the changes to the first type are recorded', async () => {
  const recorded: AuditFacts[] = [];
  const put = async (_record: object) => true;
  const ports = recordChanges(
    { applicationRecords: { put }, clientRecords: { put } },
    (facts) => void recorded.push(facts),
    maskAddress,
  );
  await ports.applicationRecords.put(someApplication());
  await ports.clientRecords.put(someClient());
  expect(recorded).toMatchObject([{ recordKind: 'application' }]);
});

type Store = Readonly<
  Record<'find' | 'put' | 'replace' | 'remove', (...given: unknown[]) => Promise<unknown>>
>;
type Stores = Readonly<Record<'users' | 'members' | 'applications' | 'sessions', Store>>;

const user = someUser();
const member = someMembership({ userId: 'bob', roles: ['buyer'] });
const seller = { ...member, roles: ['seller'] };
const one = someApplication({ name: 'One' });
const [two, three] = ['Two', 'Three'].map((name) => ({ ...one, name }));
const changes = (...all: object[]) => ({ changes: JSON.stringify(all) });
const roles = { field: 'roles', before: '["buyer"]' };

test.each<[string, (stores: Stores) => readonly Promise<unknown>[], readonly AuditFacts[]]>([
  ['a created user', ({ users }) => [users.put(user)], []],
  ['an erased user', ({ users }) => [users.find(user), users.remove(user)], []],
  [
    'a changed user',
    ({ users }) => [users.replace(user, { ...user, groups: ['a'] })],
    [{ recordKind: 'user', ...changes({ field: 'groups', before: '[]', after: '["a"]' }) }],
  ],
  [
    'a changed member, whose store gets only the new record',
    ({ members }) => [members.find(member), members.replace(seller)],
    [{ recordKind: 'member', personId: 'bob', ...changes({ ...roles, after: '["seller"]' }) }],
  ],
  [
    'a removed member',
    ({ members }) => [members.find(member), members.remove(member)],
    [{ recordKind: 'member', personId: 'bob', ...changes({ field: 'user_id', before: '•••' }, roles) }],
  ],
  ['a removed record that was not read', ({ members }) => [members.remove(member)], []],
  [
    'a write without a change',
    ({ applications }) => [applications.replace(one, one)],
    [{ recordKind: 'application' }],
  ],
  [
    'two writes of a record',
    ({ applications }) => [applications.replace(one, two), applications.replace(two, three)],
    ['Two', 'Three'].map((after) => ({
      ...{ recordKind: 'application', ...changes({ field: 'name', before: 'One', after }) },
    })),
  ],
  ['a write of a record that is not managed', ({ sessions }) => [sessions.put({})], []],
])('the change log has the expected records after %s', async (_title, call, expected) => {
  for (const done of [true, false]) {
    const recorded: AuditFacts[] = [];
    const write = async () => done;
    const store: Store = { find: async (found) => found, put: write, replace: write, remove: write };
    const ports = recordChanges(
      { userRecords: store, membershipRecords: store, applicationRecords: store, sessions: store },
      (facts) => void recorded.push(facts),
      maskAddress,
    );
    const { userRecords: users, membershipRecords: members, applicationRecords: applications } = ports;
    for (const calling of call({ users, members, applications, sessions: ports.sessions })) await calling;
    // A write that fails changes nothing.
    expect(recorded).toEqual(done ? expected : []);
  }
});
