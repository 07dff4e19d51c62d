import { expect, test } from '@jest/globals';
import { getUser, updateUser } from '../../../functions/users/users.ts';
import { NEVER } from '../../../shared/domain/users/pending-recovery.ts';
import type { AdminCaller, ClientCaller } from '../../../shared/operation.ts';
import { makeUser, storedPorts } from '../../support/fixtures/directory.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const tenant = someTenant();
const { tenantId } = tenant;
const application = someApplication({ tenantId });
const { applicationId } = application;
const client: ClientCaller = { kind: 'client', client: someClient(), tenant, application, permissions: [] };
const admin: AdminCaller = { kind: 'admin', client: someClient(), tenant };
const support = { userId: 'olga', role: 'support', authTime: T, guard: () => {} } as const;
const operator: AdminCaller = { kind: 'admin', tenant, operator: support };

test.each([
  ['a client', client, [], false],
  ['an admin token', admin, [], true],
  ['an operator', operator, [{ events: ['operator.viewed_user'] }], true],
])(
  '%s reads a user as its application sees the user, and only reads by operators are events',
  async (_, caller, facts, verified) => {
    const user = someUser({ tenantId, email: someAddress('ann@example.com', { scope: 'side' }) });
    const audited: unknown[] = [];
    const audit = (each: unknown) => audited.push(each);
    const input = { path: { userId: user.userId }, caller, audit } as never;
    const { json } = await getUser(input, { users: { find: async () => user } } as never);
    expect(json.result.email).toEqual({ value: 'ann@example.com', email_verified: verified });
    expect(audited).toEqual(facts.map((each) => ({ userId: user.userId, ...each })));
  },
);

describeStore('changing a user through the API', (store) => {
  const phone_number = '+12015550123';
  const added = { events: ['user.phone_added'] };

  test.each<[string, ClientCaller | AdminCaller, object, object, object | undefined]>([
    ['a client', client, { language: 'de' }, { events: [] }, undefined],
    [
      'a client',
      client,
      { phone_number },
      { ...added, supersedesAccount: 'phone_number' },
      { scope: applicationId },
    ],
    [
      'an admin token',
      admin,
      { phone_number },
      { ...added, supersedesAccount: 'phone_number' },
      { scope: '*' },
    ],
    [
      'an operator',
      operator,
      { phone_number },
      { ...added, supersedesAccount: 'phone_number' },
      { scope: '*', delayedUntil: NEVER },
    ],
  ])(
    'the log line of a change by %s names its events and the addresses that supersede others',
    async (_, caller, json, facts, trust) => {
      const ports = storedPorts(store());
      const own = someTenant();
      const { userId } = await makeUser(ports, own, { email: 'ann@example.com', username: 'ann' });
      const user = await ports.userRecords.find(userId);
      if (!user) throw new Error('there is no user');
      await ports.userRecords.replace(user, { ...user, applications: [applicationId] });
      const audited: unknown[] = [];
      const audit = (each: unknown) => audited.push(each);
      const request = { now: T };
      const as = { ...caller, tenant: own };
      const input = {
        path: { userId },
        json,
        caller: as,
        request,
        settings: { smsCountries: 'any' },
        audit,
      } as never;
      await updateUser(input, ports as never);
      expect(audited).toEqual([{ userId }, facts]);
      const stored = (await ports.userRecords.find(userId))?.phoneNumber;
      expect(stored && { scope: stored.scope, delayedUntil: stored.delayedUntil }).toEqual(trust);
    },
  );
});
