import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { applicationRecords, applications } from '../../../shared/dynamo/directory/applications.ts';
import { clientRecords, clients } from '../../../shared/dynamo/directory/clients.ts';
import { organizationRecords, organizations } from '../../../shared/dynamo/directory/organizations.ts';
import { resourceRecords, resources } from '../../../shared/dynamo/directory/resources.ts';
import { signingKeyRecords, signingKeys } from '../../../shared/dynamo/directory/signing-keys.ts';
import { tenantRecords, tenants } from '../../../shared/dynamo/directory/tenants.ts';
import type { Resource, Tenant } from '../../../shared/ports/directory.ts';
import {
  someApplication,
  someClient,
  someOrganization,
  someResource,
  someSigningKey,
  someTenant,
  T,
  unique,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('configuration records in the table `directory`', (store) => {
  const table = () => store().table('directory');

  test('a stored configuration record of any type is read back unchanged', async () => {
    const tenant = someTenant();
    await tenantRecords(table()).put(tenant);
    expect(await tenants(table()).find(tenant.tenantId)).toEqual(tenant);

    const full = someApplication({
      publicSignup: false,
      loginPreferences: {
        link: { expiresMinutes: 1.5, interstitial: true },
        email: { digits: 8, expiresMinutes: 2, maxTries: 1, lockMinutes: 0.5 },
        sms: {},
        direct: { digits: 4 },
      },
      resourceIds: ['r1', 'r2'],
      rateLimits: {
        sendsPerMinute: 1,
        sendsPerDay: 2,
        callsPerMinute: 3,
        anonymousPerMinute: 4,
        anonymousPerDay: 5,
        anonymousSignUpsPerMinute: 6,
        smsPerPrefixPerHour: 5,
        smsPerPrefixPerDay: 6,
        smsUnverifiedPerPrefix: 7,
        smsDryRun: true,
      },
      language: 'ja',
      passcodesAcrossClients: true,
      appIdAudience: true,
      idTokenClaims: 'requested',
      homeUri: 'https://shop.example.com/',
      linkHosts: ['help.example.com'],
      brand: {
        primaryColor: '#0a5c36',
        primaryColorDark: '#7bd3a8',
        onPrimaryColor: '#fff',
        onPrimaryColorDark: '#000',
        backgroundColor: '#f4f1ea',
        backgroundColorDark: '#101512',
        cornerRadius: 4,
        font: 'serif',
        base64logo: 'iVBORw0KGgo=',
        helpUri: 'https://help.example.com/',
        termsUri: 'https://shop.example.com/terms',
        privacyUri: 'https://shop.example.com/privacy',
        texts: {
          ar: { title: 'a', subtitle: 'b', help: 'c', terms: 'd', privacy: 'e', home: 'f' },
          ...{ en: { title: 't' }, es: {}, fr: {}, de: {}, ja: {} },
        },
      },
      hostedSignUp: true,
      offerPasskeys: true,
      sessionPreset: 'aal2',
      sessionIdleSeconds: 60,
      sessionAbsoluteSeconds: 120,
    });
    for (const application of [full, someApplication({ redirectUris: [] })]) {
      await applicationRecords(table()).put(application);
      expect(
        await applications(table(), { areas: 'all', testIdentities: true }).find(application.applicationId),
      ).toEqual(application);
    }

    const { applicationId: _, ...rest } = someClient();
    const management = { ...rest, kind: 'management', permissions: [], trusted: true, secrets: [] } as const;
    const limited = someClient({
      permissions: ['apps:execute'],
      offlineAccessNeedsConsent: true,
      accessTokenSeconds: 1,
      refreshTokenSeconds: 2,
      maxRefreshRotateSeconds: 3,
    });
    for (const client of [management, limited, someClient()]) {
      await clientRecords(table()).put(client);
      expect(await clients(table()).find(client.clientId)).toEqual(client);
    }

    const organization = someOrganization();
    await organizationRecords(table()).put(organization);
    expect(await organizations(table()).find(organization.organizationId)).toEqual(organization);

    for (const resource of [someResource({ description: '', applicationId: 'app' }), someResource()]) {
      await resourceRecords(table()).put(resource);
      expect(await resourceRecords(table()).find(resource.resourceId)).toEqual(resource);
    }
  });

  test('only one of 10 concurrent callers can create, replace or remove the same configuration record', async () => {
    const tenant = someTenant();
    const records = tenantRecords(table());
    const puts = await Promise.all(Array.from({ length: 10 }, () => records.put({ ...tenant })));
    expect(puts.filter(Boolean)).toHaveLength(1);

    const readers = await Promise.all(Array.from({ length: 10 }, () => records.find(tenant.tenantId)));
    const written = await Promise.all(
      readers.map((read, n) => records.replace(read as Tenant, { ...tenant, name: `Name ${n}` })),
    );
    expect(written.filter(Boolean)).toHaveLength(1);
    expect((await records.find(tenant.tenantId))?.name).toBe(`Name ${written.indexOf(true)}`);

    const removed = await Promise.all(Array.from({ length: 10 }, () => records.remove(tenant.tenantId)));
    expect(removed.filter(Boolean)).toHaveLength(1);
  });

  test('a configuration record is not replaced if it has changed since the read', async () => {
    const records = tenantRecords(table());
    const [first, second, third] = ['1', '2', '3'].map((name) =>
      someTenant({ tenantId: unique('t'), name }),
    ) as [Tenant, Tenant, Tenant];
    const same = { tenantId: first.tenantId };
    await records.put(first);
    const next = { ...second, ...same };
    expect(await records.replace(first, next)).toBe(true);
    expect(await records.replace(first, { ...third, ...same })).toBe(false);
    expect(await records.replace(next, { ...third, ...same })).toBe(true);
    expect((await records.find(first.tenantId))?.name).toBe('3');
  });

  test('clients are listed per application, and management clients per tenant', async () => {
    const tenantId = unique('tenant');
    const applicationId = unique('app');
    const { applicationId: _, ...management } = someClient({ tenantId, kind: 'management' });
    const client = someClient({ tenantId, applicationId });
    const records = clientRecords(table());
    await Promise.all([records.put(management), records.put(client), records.put(someClient())]);
    expect((await records.list(applicationId, { limit: 10 })).items).toEqual([client]);
    expect((await records.list(tenantId, { limit: 10 })).items).toEqual([management]);

    const tenant = someTenant();
    await tenantRecords(table()).put(tenant);
    expect((await tenantRecords(table()).list('', { limit: 100 })).items).toContainEqual(tenant);
  });

  test('each matching record appears on exactly one page of a filtered list', async () => {
    const tenantId = unique('tenant');
    const records = organizationRecords(table());
    const all = Array.from({ length: 9 }, (_, n) =>
      someOrganization({ tenantId, name: n % 3 === 0 ? 'odd' : 'even', createdAt: T + n }),
    );
    await Promise.all(all.map((organization) => records.put(organization)));
    const wanted = all.filter(({ name }) => name === 'even');
    for (const limit of [1, 2, 4, 6, 7]) {
      const found = [];
      let cursor: string | undefined;
      do {
        const page = await records.list(
          tenantId,
          { limit, ...(cursor === undefined ? {} : { cursor }) },
          ({ name }) => name === 'even',
        );
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(wanted);
    }
    expect(await records.list(tenantId, { limit: 5 }, () => false)).toEqual({ items: [] });
    expect(await records.list(tenantId, { limit: 9 }, () => true)).toEqual({ items: all });
  });

  test('reading a filtered list stops after 1,000 records and returns a cursor', async () => {
    let reads = 0;
    const queryIndex = async () => {
      reads += 1;
      return { items: [], nextCursor: `cursor ${reads}` };
    };
    const records = organizationRecords({ ...table(), queryIndex });
    const found = await records.list('tenant', { limit: 1 }, () => true);
    expect(found).toEqual({ items: [], nextCursor: 'cursor 10' });
  });

  test('a record that was read as part of a list can be replaced', async () => {
    const records = organizationRecords(table());
    const organization = someOrganization();
    await records.put(organization);
    const [listed] = (await records.list(organization.tenantId, { limit: 1 })).items;
    expect(listed && (await records.replace(listed, { ...organization, name: 'New' }))).toBe(true);
  });

  describe('forged cursors in requests for record lists', () => {
    const list = (tenantId: string, cursor: string) =>
      organizationRecords(table()).list(tenantId, { limit: 1, cursor });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

    test.each([
      ['invalid base64', '%%%'],
      ['invalid JSON', Buffer.from('{').toString('base64url')],
      ['an object', encoded({ pk: 'a' })],
      ['too few parts', encoded(['a', 'b'])],
      ['a number', encoded(['a', 'b', 1])],
      ['an empty key', encoded(['a', '', 'c'])],
      ['invalid Unicode', encoded(['a', 'b', '\ud800'])],
      ['a key that is too long', encoded(['a', 'b', 'c'.repeat(3000)])],
      ['no characters', ''],
    ])('a forged list cursor that contains %s is rejected', async (_, cursor) => {
      await expect(list(unique('tenant'), cursor)).rejects.toMatchObject({
        key: 'system_invalid_input',
        message: 'cursor: invalid',
      });
    });

    test('a list cursor from another tenant reveals no records of that tenant', async () => {
      const [mine, theirs] = [unique('tenant'), unique('tenant')];
      const records = organizationRecords(table());
      const organizations = [mine, mine, theirs, theirs].map((tenantId, n) =>
        someOrganization({ tenantId, createdAt: T + n }),
      );
      await Promise.all(organizations.map((organization) => records.put(organization)));
      const { nextCursor = '' } = await records.list(theirs, { limit: 1 });
      const { items } = await list(mine, nextCursor);
      expect(items.every(({ tenantId }) => tenantId === mine)).toBe(true);
    });
  });

  describe('reserving and releasing resource URIs', () => {
    const records = () => resourceRecords(table());
    const find = (resource: Resource) =>
      resources(table()).findByUri(resource.tenantId, resource.uri, { fresh: true });
    const reserve = (resource: Resource) =>
      records().reserveUri(resource.tenantId, resource.uri, resource.resourceId);

    beforeEach(() => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'],
        now: T * 1000,
      });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test('only one of 20 resources can reserve the same URI', async () => {
      const contenders = Array.from({ length: 20 }, () =>
        someResource({ tenantId: 'tenant', uri: 'https://one/' }),
      );
      const won = await Promise.all(contenders.map(reserve));
      expect(won.filter(Boolean)).toHaveLength(1);
      const again = await Promise.all(contenders.map(reserve));
      expect(again).toEqual(won);
    });

    test('a resource can be found by its URI only in its own tenant', async () => {
      const resource = someResource();
      await reserve(resource);
      expect(await find(resource)).toBeUndefined();
      await records().put(resource);
      expect(await find(resource)).toEqual(resource);
      expect(await find({ ...resource, tenantId: unique('tenant') })).toBeUndefined();
    });

    test('a resource can no longer be found by its previous URI', async () => {
      const resource = someResource();
      await reserve(resource);
      await records().put(resource);
      await records().replace(resource, { ...resource, uri: 'https://new/' });
      expect(await find(resource)).toBeUndefined();
    });

    test('a resource URI that is reserved but not used becomes free after one minute', async () => {
      const [ghost, resource] = [someResource(), someResource()];
      const uri = { tenantId: ghost.tenantId, uri: ghost.uri };
      await reserve(ghost);
      jest.setSystemTime((T + 59) * 1000);
      expect(await reserve({ ...resource, ...uri })).toBe(false);
      jest.setSystemTime((T + 60) * 1000);
      const won = await Promise.all(Array.from({ length: 10 }, () => reserve({ ...someResource(), ...uri })));
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    test('another resource cannot reserve the URI of an existing resource', async () => {
      const resource = someResource();
      await reserve(resource);
      await records().put(resource);
      jest.setSystemTime((T + 3600) * 1000);
      expect(await reserve({ ...resource, resourceId: unique('resource') })).toBe(false);
      await records().remove(resource.resourceId);
      expect(await reserve({ ...resource, resourceId: unique('resource') })).toBe(true);
    });

    test('a reserved resource URI can be released only by the resource that reserved the URI', async () => {
      const resource = someResource();
      await reserve(resource);
      await records().releaseUri(resource.tenantId, resource.uri, 'other', T);
      expect(await reserve({ ...resource, resourceId: 'other' })).toBe(false);
      await records().releaseUri(resource.tenantId, resource.uri, resource.resourceId, T);
      expect(await reserve({ ...resource, resourceId: 'other' })).toBe(true);
    });

    test('a late release of a resource URI has no effect if the URI was reserved again', async () => {
      const resource = someResource();
      await reserve(resource);
      jest.setSystemTime(T * 1000 + 1);
      await reserve(resource);
      await records().releaseUri(resource.tenantId, resource.uri, resource.resourceId, T);
      expect(await reserve({ ...resource, resourceId: 'other' })).toBe(false);
    });
  });

  test('only one of 10 concurrent callers can change the state of a signing key', async () => {
    const records = signingKeyRecords(table());
    const known = signingKeys(table(), true);
    expect(await known.list()).toEqual([]);
    const [one, other] = [someSigningKey(), someSigningKey({ alg: 'ES256', state: 'current' })];
    await records.put(one);
    expect(await known.list()).toEqual([one]);
    await records.put(other);
    expect(await known.list()).toEqual([one]);
    expect(new Set(await known.list({ fresh: true }))).toEqual(new Set([one, other]));
    expect(await records.put(one)).toBe(false);

    const moves = await Promise.all(
      Array.from({ length: 10 }, () => records.move(one.kid, 'next', 'current', { at: T + 1 })),
    );
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect(await records.list()).toContainEqual({ ...one, state: 'current', stateSince: T + 1 });
    expect(await records.move(unique('kid'), 'next', 'current', { at: T })).toBe(false);
    expect(await records.remove(one.kid, 'next')).toBe(false);
    expect(await records.remove(one.kid, 'current')).toBe(true);
    expect(await records.remove(one.kid, 'current')).toBe(false);
    expect(await records.list()).toEqual([other]);
  });

  test('a signing key that is activated and removed concurrently ends up either active or removed', async () => {
    const records = signingKeyRecords(table());
    const keys = Array.from({ length: 10 }, () => someSigningKey());
    for (const key of keys) await records.put(key);
    for (const { kid } of keys) {
      const [signs, gone] = await Promise.all([
        records.move(kid, 'next', 'current', { at: T }),
        records.remove(kid, 'next'),
      ]);
      expect(signs).toBe(!gone);
      expect((await records.list()).some((key) => key.kid === kid)).toBe(signs);
      if (signs) await records.remove(kid, 'current');
    }
  });

  test('changing the state of a signing key keeps the encrypted private key', async () => {
    const records = signingKeyRecords(table());
    const key = someSigningKey({ sealed: { ciphertext: 'c2VhbGVk', context: { 'otl:purpose': 'signing' } } });
    await records.put(key);
    await records.move(key.kid, 'next', 'current', { at: T, forcedBecause: 'a reason' });
    const moved = { ...key, state: 'current', stateSince: T };
    expect(await records.list()).toContainEqual({ ...moved, forcedBecause: 'a reason' });
    await records.move(key.kid, 'current', 'previous', { at: T });
    expect(await records.list()).toContainEqual({ ...moved, state: 'previous' });
    await records.remove(key.kid, 'previous');
  });
});
