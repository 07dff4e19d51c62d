import { describe, expect, test } from '@jest/globals';
import {
  asManager,
  made,
  madeApplication,
  madeClient,
  resourceFields,
  toCredentials,
} from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken } from '../../support/tools/authorized.ts';

const server = useTestServer({ rateLimits: 'off' });
const { get, put, post, remove } = asManager(server);
const wait = () => server.advanceClock(61);

const clientGrant = (clientId: string, clientSecret: string) =>
  askToken(server, { grant_type: 'client_credentials' }, { clientId, clientSecret });

describe('API operations for applications', () => {
  test('an application can be created, read, updated field by field and deleted through the API', async () => {
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
      hosted_sign_up: true,
      offer_passkeys: true,
      login_preferences: { link: {}, email: { digits: 8 } },
      resources: [],
      language: 'fr',
      notices: { new_device: true, contact_changed: true, credentials_changed: true, locked: true },
      passcodes_across_clients: false,
      app_id_audience: false,
      client_document_hosts: [],
      enrol_second_factor: false,
      id_token_claims: 'requested',
      test_identities: false,
      openid_providers: [],
      origins: [],
      android_apps: [],
      ios_apps: [],
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
        message: 'redirect_uris.0: must use https, except for localhost',
      },
    });

    const own = await madeClient(server, {}, String(result.app_id));
    const clientToken = await server.clientToken(toCredentials(own));
    const fields = resourceFields();
    const resource = await made<{ resource_id: string }>(server, '/v1/resources', fields, clientToken);
    const hook = { url: 'https://hooks.example.com/logins' };
    const ofTenant = await made<{ webhook_id: string }>(server, '/v1/webhooks', hook);
    const shared = await made<{ resource_id: string }>(server, '/v1/resources', resourceFields());
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
    for (const kept of [`/v1/webhooks/${ofTenant.webhook_id}`, `/v1/resources/${shared.resource_id}`])
      expect((await get(kept)).status).toBe(200);
    expect((await post('/v1/resources', fields)).status).toBe(201);
    await wait();
    expect((await clientGrant(own.client_id, own.client_secret)).status).toBe(401);
    expect((await remove(path)).body).toEqual({ error_code: 404, message: 'App not found' });
  });

  test('the API lists applications in pages, oldest first', async () => {
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
        { token: await server.adminToken() },
      );
      found.push(...body.result.map(({ app_id }) => app_id));
      if (body.next_cursor === undefined) break;
      query = `?${new URLSearchParams({ limit: '2', cursor: body.next_cursor })}`;
    }
    expect(found.slice(-3)).toEqual(ids);
    expect(new Set(found).size).toBe(found.length);
  });

  test('a client gets tokens for a resource only if the field `resources` of its application contains it', async () => {
    const shared = await made<{ resource_id: string; uri: string }>(
      server,
      '/v1/resources',
      resourceFields(),
    );
    const client = await madeClient(server);
    const path = `/v1/applications/${client.app_id}`;
    const ask = () =>
      askToken(server, { grant_type: 'client_credentials', resource: shared.uri }, toCredentials(client));
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

describe('passkey origins of applications', () => {
  const OURS = 'localhost';
  const listed = async () => {
    await wait();
    const { relatedOrigins } = await server.ports(['relatedOrigins']);
    return (await relatedOrigins.list(OURS, { byDefault: false })).flatMap(({ origins = [] }) => origins);
  };

  test("an origin is listed as related as long as an application with the service's RP ID has the origin", async () => {
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

describe('login preferences of an application', () => {
  test('setting a login method to null in the login preferences disables it', async () => {
    const appId = await madeApplication(server, { login_preferences: {} });
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

/** Functions cache the configuration of applications and clients for 60 seconds, so a change can take that long. */
describe('configuration changes that take effect within 60 seconds', () => {
  test('changes to redirect URIs, login methods and sign-up take effect within 60 seconds', async () => {
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
    const as = { token: await server.clientToken(toCredentials(client)) };
    const link = (who: object = person) =>
      server.post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, ...who }, as);
    const code = () => server.post('/v1/auth/otp/send', { channel: 'direct', ...person }, as);
    const unknown = { identifier_type: 'email', identifier: newEmail() };
    expect((await link()).status).toBe(200);
    expect((await link(unknown)).status).toBe(404);
    expect(String((await code()).body.code)).toHaveLength(8);

    await put(path, { redirect_uris: [`${redirect_uri}/new`], public_signup: false });
    await put(`/loginPreferences/${client.app_id}`, { direct: { digits: 6 } });
    await wait();
    expect((await link()).status).toBe(400);
    expect(String((await code()).body.code)).toHaveLength(6);

    await put(path, { redirect_uris: [redirect_uri] });
    await put(`/loginPreferences/${client.app_id}`, { direct: null });
    await wait();
    expect((await link(unknown)).status).toBe(403);
    expect(await code()).toMatchObject({
      status: 403,
      body: { error_code: 'auth_login_preferences_missing' },
    });
    await put(path, { login_preferences: null });
    await wait();
    expect((await code()).status).toBe(404);
    expect((await link()).status).toBe(404);
  });

  test("removing a client's permission takes effect within 60 seconds, even for existing tokens", async () => {
    const client = await madeClient(server);
    const path = `/v1/applications/${client.app_id}/clients/${client.client_id}`;
    const as = { token: await server.clientToken(toCredentials(client)) };
    expect((await server.get('/v1/users', as)).status).toBe(200);
    await put(path, { permissions: ['users:create'] });
    await wait();
    expect((await server.get('/v1/users', as)).status).toBe(403);
    expect((await server.post('/v1/users', { email: newEmail() }, as)).status).toBe(201);
    // An existing token always has the client's current permissions: this token gains users:read and loses users:create.
    await put(path, { permissions: ['users:read'] });
    await wait();
    expect((await server.post('/v1/users', { email: newEmail() }, as)).status).toBe(403);
    expect((await server.get('/v1/users', as)).status).toBe(200);
  });

  test('tokens of a deleted client are rejected within 60 seconds', async () => {
    const client = await madeClient(
      server,
      {},
      await madeApplication(server, { login_preferences: { direct: {} } }),
    );
    const as = { token: await server.clientToken(toCredentials(client)) };
    const email = newEmail();
    await createUser(server, { email });
    const login = await tokensDirect(server, email, {}, as.token);
    const refresh = () =>
      askToken(
        server,
        { grant_type: 'refresh_token', refresh_token: String(login.refresh_token) },
        toCredentials(client),
      );
    await remove(`/v1/applications/${client.app_id}/clients/${client.client_id}`);
    expect(await refresh()).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    await wait();
    expect((await server.get('/v1/users', as)).status).toBe(401);
    expect((await refresh()).status).toBe(401);
  });
});

test.each(['202a', '202e', '2066', '2069'])(
  'the name of an application, client, organization or tenant cannot contain the control character U+%s',
  async (mark) => {
    const name = `Shop ${String.fromCodePoint(Number.parseInt(mark, 16))}pohs`;
    const application = `/v1/applications/${await madeApplication(server)}`;
    const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
    const { client_id } = await madeClient(server);
    const client = `/v1/applications/${server.environment.app_id}/clients`;
    const answers = await Promise.all([
      ...['/v1/applications', client, '/v1/management-clients', '/v1/organizations'].map((path) =>
        post(path, { name }),
      ),
      ...[application, `${client}/${client_id}`, `/v1/organizations/${org_id}`].map((path) =>
        put(path, { name }),
      ),
    ]);
    const message = expect.stringMatching(
      /^name: must not hold control characters or marks of text direction/,
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { message } });
    const tenant = await otlWith({ OTL_ENDPOINT: server.url }, ['tenant', 'create', '--name', name]);
    expect(tenant).toMatchObject({ code: 1, stderr: expect.stringContaining('marks of text direction') });
  },
);
