import { expect, test } from '@jest/globals';
import { applyClientFields, toClientRecord } from '../../../shared/domain/management/client-record.ts';
import {
  createClient,
  deleteClient,
  listClients,
  revokeClientToken,
  revokeSecret,
  rotateSecret,
  updateClient,
} from '../../../shared/domain/management/clients.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { someApplication, someClient, someTenant, T } from '../../support/server/records.ts';

test('listClients returns the clients of an application or the management clients of a tenant', async () => {
  const asked: string[] = [];
  const list = async (owner: string) => ({ items: [], ...(asked.push(owner) && {}) });
  const [tenant, application] = [someTenant(), someApplication()];
  await listClients({ clientRecords: { list } }, { tenant, application }, { limit: 1 });
  await listClients({ clientRecords: { list } }, { tenant }, { limit: 1 });
  expect(asked).toEqual([application.applicationId, tenant.tenantId]);
});

test.each<[string, (ports: never, own: Parameters<typeof rotateSecret>[1]) => Promise<unknown>]>([
  ['an update', (ports, own) => updateClient(ports, own, { name: 'New' }, T)],
  ['a new secret', (ports, own) => rotateSecret(ports, own, T)],
  ['the revocation of a secret', (ports, own) => revokeSecret(ports, own, 'secret', T)],
  ['the revocation of a token', (ports, { clientId }) => revokeClientToken(ports, clientId, 'jti', T)],
  ['a deletion', (ports, { tenant, clientId }) => deleteClient(ports, tenant, clientId)],
])('all functions are told to read a client again before the change: %s', async (_title, change) => {
  const tenant = someTenant();
  const client = someClient({ tenantId: tenant.tenantId });
  const { clientId } = client;
  const calls: string[] = [];
  const write = async () => calls.push('write') > 0;
  const announce = async (key: string) => void calls.push(key);
  const ports = {
    clientRecords: { find: async () => client, replace: write, remove: write },
    windowRecords: { announce },
  } as never;
  await change(ports, { tenant, clientId });
  expect(calls).toEqual([expect.stringContaining(clientId), 'write']);
});

/** Creates the ports of a client that can neither be replaced nor removed. */
const portsOf = (client: object, replace: () => Promise<boolean> = async () => false) =>
  ({
    clientRecords: { find: async () => client, replace, remove: async () => false },
    windowRecords: { announce: async () => undefined },
  }) as never;

test('a client can be deleted only once, in its tenant, and not by itself', async () => {
  const client = someClient();
  const { clientId } = client;
  const [missing, own] = [{ key: 'client_not_found' }, { key: 'own_client' }];
  const tenant = someTenant({ tenantId: client.tenantId });
  await expect(deleteClient(portsOf(client), tenant, clientId)).rejects.toMatchObject(missing);
  const { clientRecords, windowRecords } = portsOf(client) as Record<string, object>;
  const ports = { clientRecords: { ...clientRecords, remove: async () => true }, windowRecords } as never;
  await expect(deleteClient(ports, someTenant(), clientId)).rejects.toMatchObject(missing);
  await expect(deleteClient(ports, tenant, clientId, client)).rejects.toMatchObject(own);
  await deleteClient(ports, tenant, clientId, someClient());
});

test('a client cannot revoke its own last secret', async () => {
  const [first, second] = ['first', 'second'].map((secretId) => ({ secretId, hash: 'hash', createdAt: T }));
  const revoke = (secretId: string, secrets: object[], caller = true) => {
    const client = someClient({ secrets: secrets as never });
    const own = { tenant: someTenant({ tenantId: client.tenantId }), clientId: client.clientId };
    const ports = portsOf(client, async () => true);
    return revokeSecret(ports, { ...own, caller: caller ? client : someClient() }, secretId, T);
  };
  expect((await revoke('first', [first, second] as never)).secrets).toEqual([second]);
  expect((await revoke('first', [first] as never, false)).secrets).toEqual([]);
  await expect(revoke('first', [first] as never)).rejects.toMatchObject({ key: 'own_client' });
  await expect(revoke('third', [first, second] as never)).rejects.toMatchObject({ key: 'secret_not_found' });
});

test('the revocation of a client token that always meets concurrent changes can be repeated after a second', async () => {
  await expect(revokeClientToken(portsOf(someClient()), 'client', 'jti', T)).rejects.toMatchObject({
    ...{ key: 'service_unavailable', detail: { retryAfterSeconds: 1 } },
  });
  for (const error of [new ServiceError('rate_limited'), new Error('concurrent_change')]) {
    const failing = portsOf(someClient(), () => Promise.reject(error));
    await expect(revokeClientToken(failing, 'client', 'jti', T)).rejects.toBe(error);
  }
});

test('a revoked secret invalidates the tokens that were issued with it, for at most one day', async () => {
  const tenant = someTenant();
  const client = someClient({ tenantId: tenant.tenantId });
  const { clientId } = client;
  const changing = revokeSecret(
    portsOf(client, async () => true),
    { tenant, clientId },
    'secret',
    T,
  );
  const before = Math.floor(Date.now() / 1000);
  const { revoked = [], ...rest } = await changing;
  expect(rest).toEqual({ ...client, secrets: [] });
  expect(revoked).toEqual([{ id: 'secret', until: expect.any(Number) }]);
  expect(revoked[0]?.until).toBeGreaterThanOrEqual(before + 86_400);
});

test.each([
  [{ id_token_signed_response_alg: 'ES256' }, { es256: true, loopback: false }],
  [{ backchannel_logout_uri: 'http://localhost:3000/' }, { es256: false, loopback: true }],
] as const)('a client can have the settings %j only if the environment allows them', (fields, choice) => {
  const client = someClient();
  expect(() => applyClientFields(client, fields, T)).toThrow(
    / is not enabled | must be a public https address/,
  );
  const changed = applyClientFields(client, fields, T, choice);
  expect(toClientRecord(changed)).toMatchObject(fields);
});

test('a client keeps a signature algorithm that the environment has disabled', () => {
  const client = someClient({ idTokenSignedResponseAlg: 'ES256' });
  expect(applyClientFields(client, { id_token_signed_response_alg: 'ES256' }, T)).toEqual(client);
});

test('a management client has neither permissions nor roles', () => {
  const { applicationId: _, ...manager } = someClient({ kind: 'management' });
  for (const fields of [{ permissions: ['users:read'] }, { roles: ['admin'] }])
    expect(() => applyClientFields(manager, fields, T)).toThrow(
      'a management client already has all permissions',
    );
});

test('token lifetimes of clients can have their minimum and maximum', async () => {
  const [tenant, application] = [someTenant(), someApplication()];
  const make = (owner: object, fields: object) =>
    createClient(
      { clientRecords: { put: async () => true } } as never,
      { tenant, ...owner },
      { name: 'Client', ...fields },
      T,
    );
  const longest = { refresh_token_ttl: 315_360_000, max_refresh_rotate: 315_360_000 };
  for (const [owner, access_token_ttl] of [
    [{}, 3600],
    [{}, 1],
    [{ application }, 86_400],
  ] as const)
    expect((await make(owner, { access_token_ttl, ...longest })).client).toMatchObject({
      ...{ accessTokenSeconds: access_token_ttl, refreshTokenSeconds: 315_360_000 },
      maxRefreshRotateSeconds: 315_360_000,
    });
  await expect(make({}, { access_token_ttl: 3601 })).rejects.toThrow(
    'access_token_ttl: must be at most 3600 for a management client',
  );
});
