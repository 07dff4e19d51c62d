import { expect, test } from '@jest/globals';
import { resetOperator } from '../../../shared/domain/operators/grants.ts';
import { someGrant, T } from '../../support/server/records.ts';

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
