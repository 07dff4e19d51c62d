import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  made,
  madeApplication,
  madeClient,
  madeManager,
  resourceFields,
  type WireClient,
} from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken } from '../../support/tools/authorized.ts';

type Json = Readonly<Record<string, unknown>>;
interface Answer<Result = Json> {
  readonly result: Result;
  readonly message?: string;
}

const server = useTestServer({ rateLimits: 'off' });
let token: string;
beforeAll(async () => {
  token = await server.adminToken();
});

const get = <Result = Json>(path: string) => server.get<Answer<Result>>(path, { token });
const put = <Result = Json>(path: string, json: Json) => server.put<Answer<Result>>(path, json, { token });
const post = <Result = Json>(path: string, json: Json = {}) =>
  server.post<Answer<Result>>(path, json, { token });
const remove = (path: string) => server.delete<Answer>(path, { token });
const wait = () => server.advanceClock(61);

const credentials = ({ client_id, client_secret }: WireClient) => ({
  clientId: client_id,
  clientSecret: client_secret,
});
const clientGrant = (clientId: string, clientSecret: string) =>
  askToken(server, { grant_type: 'client_credentials' }, { clientId, clientSecret });

describe('applications', () => {
  test('one is made, shown, listed, changed field by field and deleted with what is its own', async () => {
    const created = await post('/v1/applications', {
      name: 'Shop',
      redirect_uris: ['https://shop.example.com/complete'],
      login_preferences: { link: {}, email: { digits: 8 } },
      language: 'fr',
    });
    expect(created.status).toBe(201);
    const { result } = created.body;
    expect(result).toEqual({
      app_id: expect.stringMatching(/^[a-z0-9]{25}$/),
      tenant_id: server.environment.tenant_id,
      name: 'Shop',
      roles: [],
      redirect_uris: ['https://shop.example.com/complete'],
      post_logout_redirect_uris: [],
      public_signup: false,
      login_preferences: { link: {}, email: { digits: 8 } },
      resources: [],
      language: 'fr',
      notices: { new_device: true, contact_changed: true, locked: true },
      passcodes_across_clients: false,
      origins: [],
      created_at: expect.any(String),
      updated_at: result.created_at,
    });
    const path = `/v1/applications/${result.app_id}`;
    expect((await get(path)).body).toEqual({ result });
    const changed = await put(path, { public_signup: true, language: null });
    const { language: _, ...rest } = result;
    expect(changed.body.result).toEqual({
      ...rest,
      public_signup: true,
      updated_at: expect.any(String),
    });
    const refused = await put(path, { redirect_uris: ['http://shop.example.com/'] });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: {
        error_code: 400,
        message: 'redirect_uris.0: must use https, but for localhost',
      },
    });

    const own = await madeClient(server, {}, String(result.app_id));
    const clientToken = await server.clientToken(credentials(own));
    const resource = await made<{ resource_id: string }>(
      server,
      '/v1/resources',
      resourceFields(),
      clientToken,
    );
    const hook = { url: 'https://hooks.example.com/logins' };
    const webhook = await made<{ webhook_id: string }>(server, '/v1/webhooks', {
      ...hook,
      app_id: result.app_id,
    });
    expect((await remove(path)).status).toBe(204);
    for (const gone of [
      path,
      `/v1/resources/${resource.resource_id}`,
      `/v1/webhooks/${webhook.webhook_id}`,
      `/loginPreferences/${result.app_id}`,
    ])
      expect((await get(gone)).status).toBe(404);
    await wait();
    expect((await clientGrant(own.client_id, own.client_secret)).status).toBe(401);
    expect((await remove(path)).body).toEqual({ error_code: 404, message: 'App not found' });
  });

  test('are listed in pages, oldest first', async () => {
    const ids = [];
    for (const name of ['One', 'Two', 'Three']) {
      await server.advanceClock(1);
      ids.push(await madeApplication(server, { name }));
    }
    const found: unknown[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await server.get<{ result: { app_id: string }[]; next_cursor?: string }>(
        `/v1/applications${query}`,
        { token },
      );
      found.push(...body.result.map(({ app_id }) => app_id));
      if (body.next_cursor === undefined) break;
      query = `?${new URLSearchParams({ limit: '2', cursor: body.next_cursor })}`;
    }
    expect(found.slice(-3)).toEqual(ids);
    expect(new Set(found).size).toBe(found.length);
  });

  test('get the tenant’s resources by `resources`, and nobody else’s', async () => {
    const shared = await made<{ resource_id: string; uri: string }>(
      server,
      '/v1/resources',
      resourceFields(),
    );
    const client = await madeClient(server);
    const path = `/v1/applications/${client.app_id}`;
    const ask = () =>
      askToken(server, { grant_type: 'client_credentials', resource: shared.uri }, credentials(client));
    expect((await ask()).status).toBe(400);
    expect((await put(path, { resources: [shared.resource_id] })).status).toBe(200);
    await wait();
    expect((await ask()).status).toBe(200);
    expect((await remove(`/v1/resources/${shared.resource_id}`)).status).toBe(409);
    const named = { name: 'Another', resources: [shared.resource_id] };
    const { body: another } = await post('/v1/applications', named);
    expect(another.result.resources).toEqual([shared.resource_id]);
    await remove(`/v1/applications/${another.result.app_id}`);
    expect((await put(path, { resources: null })).body.result.resources).toEqual([]);
    await wait();
    expect((await ask()).status).toBe(400);
    expect((await remove(`/v1/resources/${shared.resource_id}`)).status).toBe(204);

    const own = await made<{ resource_id: string }>(
      server,
      '/v1/resources',
      resourceFields(),
      await server.clientToken(),
    );
    for (const id of [own.resource_id, shared.resource_id, 'nonsense'])
      expect((await put(path, { resources: [id] })).body).toEqual({
        error_code: 400,
        message: 'resources.0: is not the ID of a resource of the tenant',
      });
  });
});

describe('origins of an application', () => {
  const OURS = 'localhost';
  const listed = async () => {
    await wait();
    const { relatedOrigins } = await server.ports(['relatedOrigins']);
    return relatedOrigins.list(OURS, { byDefault: false });
  };

  test('are filed by its RP ID, follow it, and go with it', async () => {
    const origins = ['https://shop.example'];
    const created = await post('/v1/applications', { name: 'Shop', rp_id: OURS, origins });
    expect(created.status).toBe(201);
    const [path, preferences] = ['/v1/applications', '/loginPreferences'].map(
      (collection) => `${collection}/${created.body.result.app_id}`,
    ) as [string, string];
    expect(await listed()).toEqual(origins);
    expect((await put(preferences, { passkey: {} })).status).toBe(200);
    expect(await listed()).toEqual(origins);
    expect((await put(path, { origins: [] })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await put(preferences, { link: {} })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await put(path, { origins })).status).toBe(200);
    expect((await put(path, { rp_id: 'shop.example' })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await put(path, { rp_id: OURS })).status).toBe(200);
    expect(await listed()).toEqual(origins);
    expect((await remove(path)).status).toBe(204);
    expect(await listed()).toEqual([]);
  });
});

describe('login preferences', () => {
  test('are shown and set method by method; null switches one off', async () => {
    const appId = await madeApplication(server);
    const path = `/loginPreferences/${appId}`;
    expect((await get(path)).body).toEqual({ result: {} });
    await put(path, { email: { digits: 8, lock_minutes: null }, sms: {} });
    expect((await get(path)).body).toEqual({ result: { email: { digits: 8 }, sms: {} } });
    const { body } = await put(path, { email: { max_tries: 5 }, sms: null, link: { interstitial: true } });
    const result = { email: { max_tries: 5 }, link: { interstitial: true } };
    expect(body).toEqual({ result });
    expect((await get(`/v1/applications/${appId}`)).body.result.login_preferences).toEqual(result);
    expect((await put(path, { email: { digits: 3 } })).body).toEqual({
      error_code: 400,
      message: 'email.digits: must be at least 4',
    });
  });
});

describe('clients', () => {
  test('one is made, works, is changed and deleted; its secret is shown once', async () => {
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
      dpop_bound: false,
      dpop_nonce: false,
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
    const wrong = await put(path, { refresh_token_ttl: 3_000_000 });
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

  test('two secrets work at a time, so that servers change over one by one; each can be revoked', async () => {
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

  test('one without secrets gets none', async () => {
    const client = await madeClient(server, { auth_method: 'none' });
    expect(client).not.toHaveProperty('client_secret');
    const path = `/v1/applications/${client.app_id}/clients/${client.client_id}`;
    const refused = await post(`${path}/secrets`);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { error_code: 400, message: 'auth_method: none has no secret' },
    });
  });

  test('is a client of its own application alone, and a management client of none', async () => {
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

describe('management clients', () => {
  const list = '/v1/management-clients';
  const tokenOf = async (manager: WireClient) => ({ token: await server.clientToken(credentials(manager)) });

  test('one makes another, which may do the same; its secret is shown once', async () => {
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
    const its = await tokenOf(created.body.result);
    expect((await server.post('/v1/applications', { name: 'Made by it' }, its)).status).toBe(201);
    expect((await server.post(list, { name: 'Its own' }, its)).status).toBe(201);

    expect((await remove(path)).status).toBe(204);
    for (const again of [get(path), put(path, {}), remove(path), post(`${path}/secrets`)])
      expect((await again).body).toEqual({ error_code: 404, message: 'Client not found' });
    await wait();
    expect((await clientGrant(shown.client_id, client_secret)).status).toBe(401);
    expect((await server.get(list, its)).status).toBe(401);
  });

  test('none has more than its maker, which is everything, nor loses its proof', async () => {
    const message = 'permissions: a management client may do everything in its tenant';
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
      message: 'auth_method: a management client must prove who it is',
    });
  });

  test('two secrets work at a time, and each can be revoked', async () => {
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

  test('none locks itself out: another one is left that can make others', async () => {
    const manager = await madeManager(server);
    const path = `${list}/${manager.client_id}`;
    const [first] = manager.secrets;
    const its = await tokenOf(manager);
    const refused = {
      status: 409,
      body: { error_code: 409, message: 'The client would lock itself out: let another one do it' },
    };
    expect(await server.delete(path, its)).toMatchObject(refused);
    expect(await server.delete(`${path}/secrets/${first?.secret_id}`, its)).toMatchObject(refused);
    // Once it has another secret the former one may go.
    expect((await server.post(`${path}/secrets`, {}, its)).status).toBe(201);
    expect((await server.delete(`${path}/secrets/${first?.secret_id}`, its)).status).toBe(204);
    expect((await remove(path)).status).toBe(204);
  });

  test('a client of an application is none, and is not to be had here', async () => {
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

/** What runs keeps configuration for a minute: afterwards every change holds. */
describe('a change reaches running functions within 60 seconds', () => {
  test('redirect URIs, login methods and signup of an application', async () => {
    const redirect_uri = 'https://shop.example.com/complete';
    const client = await madeClient(
      server,
      {},
      await madeApplication(server, {
        redirect_uris: [redirect_uri],
        public_signup: true,
        login_preferences: { link: {}, direct: { digits: 8 } },
      }),
    );
    const path = `/v1/applications/${client.app_id}`;
    const email = newEmail();
    await createUser(server, { email });
    const person = { identifier_type: 'email', identifier: email };
    const as = { token: await server.clientToken(credentials(client)) };
    const link = (who: object = person) =>
      server.post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, ...who }, as);
    const code = () => server.post('/v1/auth/otp/send', { channel: 'direct', ...person }, as);
    const nobody = { identifier_type: 'email', identifier: newEmail() };
    expect((await link()).status).toBe(200);
    expect((await link(nobody)).status).toBe(404);
    expect(String((await code()).body.code)).toHaveLength(8);

    await put(path, { redirect_uris: [`${redirect_uri}/new`], public_signup: false });
    await put(`/loginPreferences/${client.app_id}`, { direct: { digits: 6 } });
    await wait();
    expect((await link()).status).toBe(400);
    expect(String((await code()).body.code)).toHaveLength(6);

    await put(path, { redirect_uris: [redirect_uri] });
    await put(`/loginPreferences/${client.app_id}`, { direct: null });
    await wait();
    expect((await link(nobody)).status).toBe(403);
    expect(await code()).toMatchObject({
      status: 403,
      body: { error_code: 'auth_login_preferences_missing' },
    });
    await put(path, { login_preferences: null });
    await wait();
    expect((await code()).status).toBe(404);
    expect((await link()).status).toBe(404);
  });

  test('a permission that is taken from a client, whatever its token says', async () => {
    const client = await madeClient(server);
    const path = `/v1/applications/${client.app_id}/clients/${client.client_id}`;
    const as = { token: await server.clientToken(credentials(client)) };
    expect((await server.get('/v1/users', as)).status).toBe(200);
    await put(path, { permissions: ['users:create'] });
    await wait();
    expect((await server.get('/v1/users', as)).status).toBe(403);
    expect((await server.post('/v1/users', { email: newEmail() }, as)).status).toBe(201);
    // One that is given works with the next token: this one does not ask for it.
    await put(path, { permissions: ['users:read'] });
    await wait();
    expect((await server.post('/v1/users', { email: newEmail() }, as)).status).toBe(403);
    expect((await server.get('/v1/users', as)).status).toBe(200);
  });

  test('a client that is deleted, and its refresh tokens at once', async () => {
    const client = await madeClient(
      server,
      {},
      await madeApplication(server, { login_preferences: { direct: {} } }),
    );
    const as = { token: await server.clientToken(credentials(client)) };
    const email = newEmail();
    await createUser(server, { email });
    const person = { identifier_type: 'email', identifier: email };
    const { body: sent } = await server.post('/v1/auth/otp/send', { channel: 'direct', ...person }, as);
    const { body: login } = await server.post(
      '/v1/auth/otp/authenticate',
      { ...person, passcode: sent.code },
      as,
    );
    const refresh = () =>
      askToken(
        server,
        { grant_type: 'refresh_token', refresh_token: String(login.refresh_token) },
        credentials(client),
      );
    await remove(`/v1/applications/${client.app_id}/clients/${client.client_id}`);
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await wait();
    expect((await server.get('/v1/users', as)).status).toBe(401);
    expect((await refresh()).status).toBe(401);
  });
});
