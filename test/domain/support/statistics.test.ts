import { expect, test } from '@jest/globals';
import { statisticsRecord } from '../../../shared/domain/support/statistics.ts';
import { someTenant, T } from '../../support/server/records.ts';

test('the statistics list applications by sent messages, then by logins', async () => {
  const counts = {
    a: { sends: 1, logins: 9 },
    b: { sends: 3, logins: 1 },
    c: { sends: 2 },
    d: { sends: 3, logins: 2 },
  };
  const none = { logins: 0, failures: 0, sends: 0, refusals: 0, texts: 0 };
  const ports = {
    statistics: { list: async () => [{ at: T, ...none, applications: new Map(Object.entries(counts)) }] },
    windowRecords: { counted: async () => 0 },
    applicationRecords: { areAtLeast: async () => false },
    applications: { find: async () => undefined },
  } as never;
  const { applications } = await statisticsRecord(ports, someTenant(), 24, T);
  expect(applications.map(({ app_id }) => app_id)).toEqual(['d', 'b', 'c', 'a']);
});
