import { expect, test } from '@jest/globals';
import { RELATED_HOSTS_MAX } from '../../../shared/domain/basis/limits.ts';
import { findRelatedOrigins, listAppleApps } from '../../../shared/domain/passkeys/shared-host.ts';
import { someApplication, T } from '../../support/server/records.ts';

const host = { browserOrigin: 'https://login.example.com' };
const iosApps = (...names: readonly string[]) =>
  names.map((name) => ({ teamId: 'TEAM', bundleId: `com.example.${name}` }));
const newest = { tenantId: 'greedy', createdAt: T + 2 };
const oldest = { tenantId: 'greedy', createdAt: T };
const between = { tenantId: 'honest', createdAt: T + 1 };
const sharing = (...applications: readonly Parameters<typeof someApplication>[0][]) =>
  ({ relatedOrigins: { list: async () => applications.map((change) => someApplication(change)) } }) as never;

test('tenants take turns in the list of apps, and the tenant with the oldest application comes first', async () => {
  const ports = sharing(
    { ...newest, iosApps: iosApps('c', 'a') },
    { ...between, iosApps: iosApps('d') },
    { ...oldest, iosApps: iosApps('a', 'b') },
  );
  expect((await listAppleApps(ports, host)).withPasskeys).toEqual(
    ['a', 'd', 'b', 'c'].map((name) => `TEAM.com.example.${name}`),
  );
});

test('a tenant with many hosts does not push the host of another tenant out of the related origins', async () => {
  const origins = Array.from({ length: RELATED_HOSTS_MAX }, (_, n) => `https://shop-${n}.example`);
  const ports = sharing(
    { ...between, origins: ['https://bank.example', 'https://login.example.com', 'http://localhost'] },
    { ...oldest, origins },
  );
  expect(await findRelatedOrigins(ports, host)).toEqual([...origins.slice(0, -1), 'https://bank.example']);
});
