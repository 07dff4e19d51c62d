import { expect, test } from '@jest/globals';
import { resourceRecords } from '../../../shared/dynamo/directory/resources.ts';
import { uriOwnerRecords, uriOwners } from '../../../shared/dynamo/directory/uri-owners.ts';
import type { Resource } from '../../../shared/ports/directory.ts';
import { someResource, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const DAY = 24 * 3600;

describeStore('tenants that own resource URIs', (store) => {
  const owners = () => uriOwners(store().table('directory'));
  const records = () => uriOwnerRecords(store().table('directory'));
  const tenants = Array.from({ length: 20 }, () => unique('tenant'));
  const compete = (uri: string, at: number) =>
    Promise.all(tenants.map((tenantId) => owners().reserve(tenantId, uri, at)));

  async function filed(resource: Resource): Promise<Resource> {
    const inTenant = resourceRecords(store().table('directory'));
    await inTenant.reserveUri(resource.tenantId, resource.uri, resource.resourceId);
    await inTenant.put(resource);
    return resource;
  }

  test('only one of 20 concurrent tenants can own a resource URI', async () => {
    const { uri } = someResource();
    const won = await compete(uri, T);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await compete(uri, T + 1)).toEqual(won);
  });

  test('other tenants can reserve a released resource URI only after the holding period', async () => {
    const { uri, tenantId } = someResource();
    await owners().reserve(tenantId, uri, T);
    await owners().reserveUntil(tenantId, uri, T + 5 * DAY);
    await owners().reserveUntil('another', uri, T);
    expect((await compete(uri, T + 5 * DAY - 1)).filter(Boolean)).toEqual([]);
    expect((await compete(uri, T + 5 * DAY)).filter(Boolean)).toHaveLength(1);
    expect(await owners().reserve(tenantId, uri, T + 5 * DAY)).toBe(false);
  });

  test('a tenant that reserves a released resource URI again during the holding period keeps the URI', async () => {
    const back = someResource();
    await owners().reserve(back.tenantId, back.uri, T);
    await owners().reserveUntil(back.tenantId, back.uri, T + 5);
    await owners().reserve(back.tenantId, back.uri, T + 4);
    expect((await compete(back.uri, T + 6)).filter(Boolean)).toEqual([]);

    const living = await filed(someResource());
    await owners().reserve(living.tenantId, living.uri, T);
    // Simulates a crash after the URI was released but before the resource was deleted: the tenant keeps the URI.
    await owners().reserveUntil(living.tenantId, living.uri, T + 5);
    expect((await compete(living.uri, T + 1000 * DAY)).filter(Boolean)).toEqual([]);
  });

  test('a tenant loses a reserved resource URI that no resource uses within 90 days', async () => {
    const { uri, tenantId } = someResource();
    await owners().reserve(tenantId, uri, T);
    expect((await compete(uri, T + 90 * DAY - 1)).filter(Boolean)).toEqual([]);
    expect((await compete(uri, T + 90 * DAY)).filter(Boolean)).toHaveLength(1);
  });

  test('an operator can assign a resource URI to another tenant', async () => {
    const { uri, tenantId } = await filed(someResource());
    await owners().reserve(tenantId, uri, T);
    await records().assign('moved', uri, T);
    expect(await records().find(uri)).toBe('moved');
    expect(await owners().reserve(tenantId, uri, T)).toBe(false);
    expect(await records().revoke(tenantId, uri)).toBe(true);
    expect(await records().revoke(tenantId, uri)).toBe(false);

    const host = `${unique('host')}.example`;
    const won = await Promise.all(tenants.map((each) => records().reserveHost(each, host)));
    expect(won.filter(Boolean)).toHaveLength(1);
    const [winner = '', ...losers] = tenants.toSorted((_, each) => (won[tenants.indexOf(each)] ? 1 : -1));
    expect(await records().listHosts()).toContainEqual({ host, tenantId: winner });
    expect(await records().freeHost(losers[0] ?? '', host)).toBe(false);
    expect(await owners().reserve(losers[0] ?? '', `https://${host}/`, T)).toBe(false);
    expect(await owners().reserve(winner, `https://${host}/`, T)).toBe(true);
    expect(await records().freeHost(winner, host)).toBe(true);
  });
});
