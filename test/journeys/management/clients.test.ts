import { describe, expect, test } from '@jest/globals';
import {
  asManager,
  madeApplication,
  madeClient,
  madeManager,
  toCredentials,
  type WireClient,
} from '../../support/fixtures/managed.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken } from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });
const { get, put, post, remove } = asManager(server);
const wait = () => server.advanceClock(61);

const clientGrant = (clientId: string, clientSecret: string) =>
  askToken(server, { grant_type: 'client_credentials' }, { clientId, clientSecret });

describe('API operations for clients', () => {
  test('a client can be created, read, changed and deleted through the API', async () => {
    const appId = await madeApplication(server);
    const list = `/v1/applications/${appId}/clients`;
    const created = await post<WireClient>(list, {
      name: 'Backend',
      permissions: ['users:read', '[appId]:execute'],
    });
    expect(created.status).toBe(201);
    const { client_secret: secret, ...shown } = created.body.result;
    expect(shown).toEqual({
      client_id: expect.stringMatching(/^[a-z0-9]{25}$/),
      tenant_id: server.environment.tenant_id,
      app_id: appId,
      kind: 'application',
      name: 'Backend',
      permissions: ['users:read', `${appId}:execute`],
      trusted: false,
      auth_method: 'secret',
      strict_audience: false,
      require_pkce: false,
      require_pushed_requests: false,
      bound_codes: false,
      offline_access_needs_consent: false,
      dpop_bound: false,
      dpop_nonce: false,
      acr_values: 'require',
      backchannel_logout_session_required: false,
      refresh_token_rotation: true,
      id_token_signed_response_alg: 'RS256',
      secrets: [{ secret_id: expect.any(String), created_at: expect.any(String) }],
      created_at: expect.any(String),
      updated_at: shown.created_at,
    });
    const path = `${list}/${shown.client_id}`;
    expect((await get(path)).body).toEqual({ result: shown });
    expect((await get(list)).body).toEqual({ result: [shown] });
    const granted = await clientGrant(shown.client_id, secret);
    expect(granted.body.scope).toBe(`users:read ${appId}:execute`);

    const changed = await put(path, { name: 'Batch', permissions: null, access_token_ttl: 300 });
    const { permissions: _, ...rest } = shown;
    expect(changed.body.result).toEqual({
      ...rest,
      name: 'Batch',
      access_token_ttl: 300,
      updated_at: expect.any(String),
    });
    const wrong = await put(path, { refresh_token_ttl: 400_000_000 });
    expect(wrong.body).toMatchObject({
      error_code: 400,
      message: expect.stringMatching(/^refresh_token_ttl/),
    });
    expect((await remove(path)).status).toBe(204);
    for (const again of [get(path), put(path, {}), remove(path), post(`${path}/secrets`)])
      expect((await again).body).toEqual({ error_code: 404, message: 'Client not found' });
    await wait();
    expect((await clientGrant(shown.client_id, secret)).status).toBe(401);
  });

  test('a client can have two secrets at the same time', async () => {
    const client = await madeClient(server);
    const path = `/v1/applications/${client.app_id}/clients/${client.client_id}`;
    const works = async (secret: string) => (await clientGrant(client.client_id, secret)).status === 200;
    const add = async () => (await post<WireClient>(`${path}/secrets`)).body.result;
    const first = client.client_secret;
    const second = await add();
    expect(second.secrets).toHaveLength(2);
    expect([await works(first), await works(second.client_secret)]).toEqual([true, true]);

    const third = await add();
    await wait();
    expect(await works(first)).toBe(false);
    expect([await works(second.client_secret), await works(third.client_secret)]).toEqual([true, true]);

    const [oldest] = third.secrets;
    expect((await remove(`${path}/secrets/${oldest?.secret_id}`)).status).toBe(204);
    await wait();
    expect([await works(second.client_secret), await works(third.client_secret)]).toEqual([false, true]);
    expect((await remove(`${path}/secrets/${oldest?.secret_id}`)).body).toEqual({
      error_code: 404,
      message: 'Secret not found',
    });
    const [last] = (await get<WireClient>(path)).body.result.secrets;
    await remove(`${path}/secrets/${last?.secret_id}`);
    await wait();
    expect(await works(third.client_secret)).toBe(false);
    expect((await add()).secrets).toHaveLength(1);
  });

  test('a public client cannot have a secret', async () => {
    const client = await madeClient(server, { auth_method: 'none' });
    expect(client).not.toHaveProperty('client_secret');
    const path = `/v1/applications/${client.app_id}/clients/${client.client_id}`;
    const refused = await post(`${path}/secrets`);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { error_code: 400, message: 'auth_method: none has no secret' },
    });
  });

  test('a client cannot be read or changed under the path of another application', async () => {
    const client = await madeClient(server);
    const others = [await madeApplication(server), 'nonsense'];
    const { client_id: manager } = server.environment.management;
    const paths = [
      ...others.map((appId) => `/v1/applications/${appId}/clients/${client.client_id}`),
      `/v1/applications/${client.app_id}/clients/${manager}`,
    ];
    for (const path of paths) {
      const answers = [get(path), put(path, {}), remove(path), post(`${path}/secrets`)];
      for (const answer of await Promise.all([...answers, remove(`${path}/secrets/x`)]))
        expect(answer).toMatchObject({ status: 404, body: { message: 'Client not found' } });
    }
    for (const list of ['nonsense'].map((appId) => `/v1/applications/${appId}/clients`))
      for (const answer of [await get(list), await post(list, { name: 'x' })])
        expect(answer).toMatchObject({ status: 404, body: { message: 'App not found' } });
  });
});

describe('API operations for management clients', () => {
  const list = '/v1/management-clients';
  const requestToken = async (manager: WireClient) => ({
    token: await server.clientToken(toCredentials(manager)),
  });

  test('a management client can create another management client', async () => {
    const created = await post<WireClient>(list, { name: 'Provisioning' });
    expect(created.status).toBe(201);
    const { client_secret, ...shown } = created.body.result;
    expect(client_secret).toMatch(/^[\w-]{43}$/);
    expect(shown).toMatchObject({
      tenant_id: server.environment.tenant_id,
      kind: 'management',
      name: 'Provisioning',
      secrets: [{ secret_id: expect.any(String), created_at: expect.any(String) }],
    });
    for (const absent of ['app_id', 'permissions']) expect(shown).not.toHaveProperty(absent);
    const path = `${list}/${shown.client_id}`;
    expect((await get(path)).body).toEqual({ result: shown });
    const listed = await get<WireClient[]>(list);
    expect(listed.body.result.map(({ client_id }) => client_id)).toEqual([
      server.environment.management.client_id,
      shown.client_id,
    ]);
    expect(listed.body.result[1]).toEqual(shown);

    const changed = await put(path, { name: 'Batch', access_token_ttl: 300 });
    expect(changed.body.result).toMatchObject({ name: 'Batch', access_token_ttl: 300 });
    const its = await requestToken(created.body.result);
    expect((await server.post('/v1/applications', { name: 'Made by it' }, its)).status).toBe(201);
    expect((await server.post(list, { name: 'Its own' }, its)).status).toBe(201);

    expect((await remove(path)).status).toBe(204);
    for (const again of [get(path), put(path, {}), remove(path), post(`${path}/secrets`)])
      expect((await again).body).toEqual({ error_code: 404, message: 'Client not found' });
    await wait();
    expect((await clientGrant(shown.client_id, client_secret)).status).toBe(401);
    expect((await server.get(list, its)).status).toBe(401);
  });

  test('the permissions of a management client cannot be restricted', async () => {
    const message = 'permissions: a management client already has all permissions in its tenant';
    const { client_id } = await madeManager(server);
    for (const answer of [
      await post(list, { name: 'More', permissions: ['users:read'] }),
      await put(`${list}/${client_id}`, { permissions: ['apps:create'] }),
    ])
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: { error_code: 400, message },
      });
    expect((await put(`${list}/${client_id}`, { auth_method: 'none' })).body).toEqual({
      error_code: 400,
      message: 'auth_method: a management client must authenticate',
    });
  });

  test('a management client can have two secrets at the same time', async () => {
    const manager = await madeManager(server);
    const path = `${list}/${manager.client_id}`;
    const works = async (secret: string) => (await clientGrant(manager.client_id, secret)).status === 200;
    const { client_secret: second, secrets } = (await post<WireClient>(`${path}/secrets`)).body.result;
    expect([await works(manager.client_secret), await works(second)]).toEqual([true, true]);
    expect((await remove(`${path}/secrets/${secrets[0]?.secret_id}`)).status).toBe(204);
    await wait();
    expect([await works(manager.client_secret), await works(second)]).toEqual([false, true]);
    expect((await remove(`${path}/secrets/nonsense`)).body).toMatchObject({ message: 'Secret not found' });
  });

  test('a management client can delete neither itself nor its only secret', async () => {
    const manager = await madeManager(server);
    const path = `${list}/${manager.client_id}`;
    const [first] = manager.secrets;
    const its = await requestToken(manager);
    const refused = {
      status: 409,
      body: { error_code: 409, message: 'The client would lock itself out: use another client' },
    };
    expect(await server.delete(path, its)).toMatchObject(refused);
    expect(await server.delete(`${path}/secrets/${first?.secret_id}`, its)).toMatchObject(refused);
    // After another secret was added, the first secret can be revoked.
    expect((await server.post(`${path}/secrets`, {}, its)).status).toBe(201);
    expect((await server.delete(`${path}/secrets/${first?.secret_id}`, its)).status).toBe(204);
    expect((await remove(path)).status).toBe(204);
  });

  test("an application's client cannot be read as a management client", async () => {
    const { client_id, secrets } = await madeClient(server);
    const path = `${list}/${client_id}`;
    const answers = [get(path), put(path, {}), remove(path), post(`${path}/secrets`)];
    for (const answer of await Promise.all([...answers, remove(`${path}/secrets/${secrets[0]?.secret_id}`)]))
      expect(answer).toMatchObject({ status: 404, body: { message: 'Client not found' } });
    const as = { token: await server.clientToken() };
    expect((await server.get(list, as)).status).toBe(403);
    expect((await server.post(list, { name: 'x' }, as)).status).toBe(403);
  });
});
