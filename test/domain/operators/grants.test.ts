import { expect, test } from '@jest/globals';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { inviteOperator, removeOperator, resetOperator } from '../../../shared/domain/operators/grants.ts';
import { someGrant, someTenant, T } from '../../support/server/records.ts';

test("resetting an operator deactivates the operator's roles and removes all passkeys and sessions", async () => {
  const [here, elsewhere] = [someGrant({ userId: 'ann' }), someGrant({ userId: 'ann' })];
  const steps: unknown[] = [];
  const noting = (step: string) => async (userId: string, at?: number) => void steps.push([step, userId, at]);
  const ports = {
    operatorRecords: {
      find: async (id: string) => [here, elsewhere].find(({ tenantId }) => id.includes(tenantId)),
      replace: async (_before: unknown, { tenantId, state }: typeof here) =>
        Boolean(steps.push([state, tenantId])),
    },
    operators: { listOfUser: async () => [here, elsewhere] },
    passkeyRecords: { forgetAllOf: noting('passkeys removed') },
    sessions: { endAllOf: noting('sessions ended') },
  } as never;
  expect(await resetOperator(ports, here, 'bob', T)).toMatchObject({ state: 'invited', invitedBy: 'bob' });
  expect(steps).toEqual([
    ['invited', elsewhere.tenantId],
    ['invited', here.tenantId],
    ['passkeys removed', 'ann', undefined],
    ['sessions ended', 'ann', T],
  ]);
});

test('resetting a person without a role in the tenant leaves their roles in other tenants active', async () => {
  const replaced: unknown[] = [];
  const elsewhere = someGrant({ userId: 'ann' });
  const ports = {
    operatorRecords: {
      find: async (id: string) => (id.includes(elsewhere.tenantId) ? elsewhere : undefined),
      replace: async (...given: unknown[]) => replaced.push(given) > 0,
    },
    operators: { listOfUser: async () => [elsewhere] },
  } as never;
  const name = { userId: 'ann', tenantId: 'here' };
  await expect(resetOperator(ports, name, 'bob', T)).rejects.toMatchObject({ key: 'member_not_found' });
  expect(replaced).toEqual([]);
});

test.each([
  ['keeps the passkeys and sessions of an operator with another role', true, [someGrant()], ['enrolment']],
  [
    'removes the passkeys and sessions with the last role',
    true,
    [],
    ['enrolment', 'passkeys', `sessions ${T}`],
  ],
  ['fails for an unknown operator', false, [], []],
])('removing an operator %s', async (_title, isRemoved, left, expected) => {
  const removed: string[] = [];
  const ports = {
    operatorRecords: { remove: async () => isRemoved },
    operatorEnrolments: { remove: async () => void removed.push('enrolment') },
    operators: { listOfUser: async () => left },
    passkeyRecords: { forgetAllOf: async () => void removed.push('passkeys') },
    sessions: { endAllOf: async (_: string, at: number) => void removed.push(`sessions ${at}`) },
  } as never;
  const removing = removeOperator(ports, someGrant(), T);
  if (isRemoved) await removing;
  else await expect(removing).rejects.toMatchObject({ key: 'member_not_found' });
  expect(removed).toEqual(expected);
});

test('a person cannot be invited to operate the tenant of the operators, or before this tenant exists', async () => {
  const ports = { tenants: { find: async () => undefined } } as never;
  const invite = (tenantId: string) =>
    inviteOperator(
      ports,
      someTenant({ tenantId }),
      { email: 'a@b.example', role: 'admin', invitedBy: 'bob' },
      T,
    );
  await expect(invite(OPERATORS_TENANT_ID)).rejects.toMatchObject({ key: 'in_use' });
  await expect(invite('shop')).rejects.toMatchObject({ key: 'tenant_not_found' });
});
