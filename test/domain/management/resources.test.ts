import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  applyResourceFields,
  createResource,
  replaceResource,
  requireResource,
  updateResource,
} from '../../../shared/domain/management/resources.ts';
import type { NewResourceFields } from '../../../shared/ports/directory.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someResource, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

/** Unique part of the resource URIs of each test, because a URI can be used only once in an environment. */
let ofTest = '';
const named = (name: string) => `urn:example:${ofTest}:${name}`;
let fields: NewResourceFields;
beforeEach(() => {
  ofTest = randomUUID();
  fields = {
    name: 'Orders',
    uri: named('orders'),
    access_token_ttl: 600,
    refresh_token_ttl: 3600,
    max_refresh_rotate: 7200,
  };
});

test.each([
  ['still exists', true],
  ['was deleted', false],
])(
  'a concurrent change releases the new URI only if the resource was deleted: it %s',
  async (_title, exists) => {
    const current = someResource();
    const released: string[] = [];
    const reserve = async () => 'new';
    const ports = {
      resourceRecords: {
        replace: async () => false,
        find: async () => (exists ? current : undefined),
        reserveUri: reserve,
        releaseUri: async (_tenantId: string, uri: string) => void released.push(uri),
      },
      uriOwners: { reserve, reserveUntil: reserve },
    } as never;
    const next = { ...current, uri: named('next') };
    const changing = replaceResource(ports, { current, next, startedAt: nowSeconds() });
    await expect(changing).rejects.toMatchObject({ key: 'concurrent_change' });
    expect(released).toEqual(exists ? [] : [next.uri]);
  },
);

test('a resource URI may have 1024 characters', () => {
  const uri = 'https://api.example.com/'.padEnd(1024, 'x');
  expect(applyResourceFields(someResource(), { uri }, nowSeconds()).uri).toBe(uri);
});

describeStore('creating and changing resources', (store) => {
  test('only one of several concurrent requests creates a resource with the same URI', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, () => createResource(ports, { tenant }, fields, nowSeconds())),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({
      key: 'system_invalid_input',
      message: 'uri: another resource of the tenant has it',
    });
    await expect(createResource(ports, { tenant: someTenant() }, fields, nowSeconds())).rejects.toMatchObject(
      { key: 'system_invalid_input', message: expect.stringMatching(/another tenant/) },
    );
  });

  test('concurrent URI changes leave the current URI of each resource reserved', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const uris = Array.from({ length: 4 }, (_, n) => named(String(n)));
    const made = await Promise.all(
      uris.slice(0, 3).map((uri) => createResource(ports, { tenant }, { ...fields, uri }, nowSeconds())),
    );
    for (let round = 0; round < 5; round++)
      await Promise.allSettled(
        made.flatMap(({ resourceId }) =>
          uris.map((uri) => updateResource(ports, { tenant, resourceId }, { uri }, nowSeconds())),
        ),
      );
    const left = await Promise.all(made.map(({ resourceId }) => requireResource(ports, tenant, resourceId)));
    expect(new Set(left.map(({ uri }) => uri)).size).toBe(left.length);
    for (const { resourceId, uri } of left) {
      const found = await ports.resources.findByUri(tenant.tenantId, uri, { fresh: true });
      expect(found?.resourceId).toBe(resourceId);
      await expect(createResource(ports, { tenant }, { ...fields, uri }, nowSeconds())).rejects.toThrow(
        /^uri: /,
      );
    }
  });

  test('a resource keeps its URI if an unfinished URI change is reverted', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { resourceId } = await createResource(ports, { tenant }, fields, nowSeconds());
    // The first change stores the new URI and then pauses before it releases the previous URI.
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const slow: typeof ports = {
      ...ports,
      resourceRecords: {
        ...ports.resourceRecords,
        async releaseUri(...given) {
          reach();
          await resumed;
          await ports.resourceRecords.releaseUri(...given);
        },
      },
    };
    const first = updateResource(slow, { tenant, resourceId }, { uri: named('other') }, nowSeconds());
    await reached;
    await updateResource(ports, { tenant, resourceId }, { uri: fields.uri }, nowSeconds());
    resume();
    await first;
    const found = await ports.resources.findByUri(tenant.tenantId, fields.uri, { fresh: true });
    expect(found?.resourceId).toBe(resourceId);
    await expect(createResource(ports, { tenant }, fields, nowSeconds())).rejects.toThrow(/^uri: /);
    await expect(
      createResource(ports, { tenant }, { ...fields, uri: named('other') }, nowSeconds()),
    ).resolves.toBeDefined();
  });

  describe('crashes during the creation or change of a resource', () => {
    const crash = new Error('crash');
    const fail = () => Promise.reject(crash);

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test('if a crash interrupts the creation of a resource, the resource URI becomes free after one minute', async () => {
      const ports = storedPorts(store());
      const tenant = someTenant();
      const broken = { ...ports, resourceRecords: { ...ports.resourceRecords, put: fail } };
      await expect(createResource(broken, { tenant }, fields, nowSeconds())).rejects.toBe(crash);
      await expect(createResource(ports, { tenant }, fields, nowSeconds())).rejects.toThrow(/^uri: /);
      jest.setSystemTime(Date.now() + 60_000);
      await expect(createResource(ports, { tenant }, fields, nowSeconds())).resolves.toBeDefined();
    });

    test.each([
      ['before the new URI is written', 'replace', 'orders', 'new'],
      ['before the previous URI is released', 'releaseUri', 'new', 'orders'],
    ] as const)(
      "if a change of a resource's URI fails %s, the unused URI becomes free after one minute",
      async (_, step, ...names) => {
        const [kept, other] = names.map(named) as [string, string];
        const ports = storedPorts(store());
        const tenant = someTenant();
        const { resourceId } = await createResource(ports, { tenant }, fields, nowSeconds());
        const broken = { ...ports, resourceRecords: { ...ports.resourceRecords, [step]: fail } };
        await expect(
          updateResource(broken, { tenant, resourceId }, { uri: named('new') }, nowSeconds()),
        ).rejects.toBe(crash);
        const find = (uri: string) => ports.resources.findByUri(tenant.tenantId, uri, { fresh: true });
        expect((await find(kept))?.resourceId).toBe(resourceId);
        expect(await find(other)).toBeUndefined();
        jest.setSystemTime(Date.now() + 60_000);
        await expect(
          createResource(ports, { tenant }, { ...fields, uri: other }, nowSeconds()),
        ).resolves.toBeDefined();
        await expect(
          createResource(ports, { tenant }, { ...fields, uri: kept }, nowSeconds()),
        ).rejects.toThrow(/^uri: /);
      },
    );
  });

  test.each([
    [{ uri: 'orders' }, /^uri: /],
    [{ uri: '/orders' }, /^uri: /],
    [{ uri: 'https://api.example.com/#orders' }, /^uri: /],
    [{ uri: 'https://api.example.com/a b' }, /^uri: /],
    [{ uri: 'https://api.example.com/'.padEnd(1025, 'x') }, /^uri: /],
    [{ uri: 'https://api.example.com:99999/' }, /^uri: /],
    [{ access_token_ttl: 0.9 }, /^access_token_ttl: /],
    [{ access_token_ttl: 86_401 }, /^access_token_ttl: /],
    [{ max_refresh_rotate: Number.NaN }, /^max_refresh_rotate: /],
  ])('a resource with an invalid field is rejected: %j', async (wrong, message) => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    await expect(createResource(ports, { tenant }, { ...fields, ...wrong }, nowSeconds())).rejects.toThrow(
      message,
    );
    const { resourceId } = await createResource(ports, { tenant }, fields, nowSeconds());
    await expect(updateResource(ports, { tenant, resourceId }, wrong, nowSeconds())).rejects.toThrow(message);
  });
});
