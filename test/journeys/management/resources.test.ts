import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { answerIn, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { storeApplication, storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken, refresh } from '../../support/tools/authorized.ts';

type Json = Readonly<Record<string, unknown>>;
interface WireResource extends Json {
  readonly resource_id: string;
  readonly uri: string;
}
interface Answer {
  readonly result: WireResource;
  readonly message?: unknown;
}

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
let token: string;
let admin: string;
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

let made = 0;
const fields = (change: Json = {}) => {
  made += 1;
  return {
    name: 'Orders',
    uri: `https://api.example.com/orders/${made}`,
    access_token_ttl: 120,
    refresh_token_ttl: 600,
    max_refresh_rotate: 1500,
    ...change,
  };
};
const create = (given: Json, as = token) => server.post<Answer>('/v1/resources', given, { token: as });
const show = (id: string, as = token) => server.get<Answer>(`/v1/resources/${id}`, { token: as });
const change = (id: string, given: Json, as = token) =>
  server.put<Answer>(`/v1/resources/${id}`, given, { token: as });
const remove = (id: string, as = token) => server.delete<Answer>(`/v1/resources/${id}`, { token: as });
const find = (uri: string, as = token) =>
  server.get<Answer>(`/v1/resources/uri?${new URLSearchParams({ resourceUri: uri })}`, { token: as });
const list = (as = token, query = '') =>
  server.get<{ result: WireResource[]; next_cursor?: string }>(`/v1/resources${query}`, { token: as });

const NOT_FOUND = { status: 404, body: { error_code: 404, message: 'Resource not found' } };
const pickAnswer = ({ status, body }: { readonly status: number; readonly body: unknown }) => ({
  status,
  body,
});

describe('SPEC E: API operations for resources', () => {
  test('SPEC E1, E2: a resource can be created, read, found by its URI, changed and deleted through the API', async () => {
    const given = fields({ description: 'What was ordered' });
    const created = await create({ ...given, nobody_knows_this_field: 1 });
    expect(created.status).toBe(201);
    const { result } = created.body;
    expect(created.body).toEqual({
      result: {
        resource_id: expect.any(String),
        tenant_id: server.environment.tenant_id,
        ...given,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: result.created_at,
      },
    });
    const { resource_id: id } = result;
    expect((await show(id)).body).toEqual({ result });
    expect((await find(given.uri)).body).toEqual({ result });

    await server.advanceClock(5);
    const changed = await change(id, { name: 'Baskets', description: null, access_token_ttl: 60 });
    const { description: _, ...rest } = result;
    expect(pickAnswer(changed)).toEqual({
      status: 200,
      body: {
        result: { ...rest, name: 'Baskets', access_token_ttl: 60, updated_at: expect.any(String) },
      },
    });
    expect(changed.body.result.updated_at).not.toBe(result.updated_at);
    expect((await change(id, {})).status).toBe(200);

    const deleted = await remove(id);
    expect(pickAnswer(deleted)).toEqual({ status: 204, body: undefined });
    for (const again of [show(id), find(given.uri), change(id, {}), remove(id)])
      expect(pickAnswer(await again)).toEqual(NOT_FOUND);
    expect((await create(given)).status).toBe(201);
  });

  test('two resources of a tenant cannot have the same URI', async () => {
    const given = fields();
    const { resource_id: id } = (await create(given)).body.result;
    expect(pickAnswer(await create({ ...given, name: 'Again' }))).toEqual({
      status: 400,
      body: { error_code: 400, message: ['uri: another resource of the tenant has it'] },
    });
    const other = (await create(fields())).body.result;
    expect(pickAnswer(await change(other.resource_id, { uri: given.uri }))).toEqual({
      status: 400,
      body: { error_code: 400, message: 'uri: another resource of the tenant has it' },
    });
    const { uri } = fields();
    expect((await change(id, { uri })).body.result.uri).toBe(uri);
    expect((await create(given)).status).toBe(201);
    expect((await find(uri)).body.result.resource_id).toBe(id);
  });

  test('a resource URI stays reserved for its tenant for 90 days after the resource was deleted', async () => {
    const foreigner = await storeTenant(server);
    const DAY = 24 * 3600;
    for (const take of [
      (uri: string, as: string) => create(fields({ uri }), as),
      async (uri: string, as: string) =>
        change((await create(fields(), as)).body.result.resource_id, { uri }, as),
    ]) {
      const given = fields();
      const { resource_id: id } = (await create(given)).body.result;
      expect((await take(given.uri, await server.clientToken(foreigner))).status).toBe(400);
      await remove(id);
      await server.advanceClock(91 * DAY);
      expect((await take(given.uri, await server.clientToken(foreigner))).status).toBeLessThan(300);
      [token, admin] = [await server.clientToken(), await server.adminToken()];
      expect((await create(given)).status).toBe(400);
    }
  });

  test('SPEC E1: the error for an invalid resource contains one message per invalid field', async () => {
    const wrong = { uri: 'orders', access_token_ttl: 0.9, refresh_token_ttl: true, max_refresh_rotate: '1' };
    const { status, body } = await create(wrong);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error_code: 400,
        message: [
          'name: is required',
          'access_token_ttl: must be at least 1',
          'refresh_token_ttl: must be number',
          'max_refresh_rotate: must be number',
        ],
      },
    });
    const messages = async (given: Json) => (await create(fields(given))).body.message;
    expect(await messages({ uri: 'orders' })).toEqual([
      expect.stringMatching(/^uri: must be an absolute URI/),
    ]);
    expect(await messages({ access_token_ttl: 86_401 })).toEqual(['access_token_ttl: must be at most 86400']);
  });

  test('SPEC E1: fractional lifetimes are rounded down to whole seconds', async () => {
    const lifetimes = { access_token_ttl: 1, refresh_token_ttl: 1501, max_refresh_rotate: 7200.9 };
    const { status, body } = await create(fields(lifetimes));
    expect(status).toBe(201);
    expect(body.result).toMatchObject({ ...lifetimes, max_refresh_rotate: 7200 });
  });

  test('a client can neither read nor change a resource of another application', async () => {
    const neighbour = await storeApplication(server);
    const theirs = await server.clientToken(neighbour);
    const own = (await create(fields())).body.result;
    const shared = (await create(fields(), admin)).body.result;
    // A resource of the tenant is also invisible to an application until the resource is attached to the application.
    for (const { resource_id: id, uri } of [own, shared])
      for (const answer of [show(id, theirs), find(uri, theirs), change(id, {}, theirs), remove(id, theirs)])
        expect(pickAnswer(await answer)).toEqual(NOT_FOUND);
    expect((await list(theirs)).body.result).toEqual([]);

    const ports = await server.ports(['applicationRecords']);
    const stored = await ports.applicationRecords.find(neighbour.application.applicationId);
    if (!stored) throw new Error('the application is gone');
    await ports.applicationRecords.replace(stored, { ...stored, resourceIds: [shared.resource_id] });
    await server.advanceClock(61);
    expect((await show(shared.resource_id, theirs)).body.result).toEqual(shared);
    expect((await list(theirs)).body.result).toEqual([shared]);
    for (const answer of [change(shared.resource_id, {}, theirs), remove(shared.resource_id, theirs)])
      expect(pickAnswer(await answer)).toEqual({
        status: 403,
        body: {
          error_code: 403,
          message: 'The resource belongs to the tenant: only an admin token can change it',
        },
      });
    expect(pickAnswer(await remove(shared.resource_id, admin))).toEqual({
      status: 409,
      body: {
        error_code: 409,
        message: `The resource is in use by the application ${neighbour.application.applicationId}`,
      },
    });
  });

  test('a client lists only the resources of its application', async () => {
    const owner = await storeTenant(server);
    const theirs = await server.clientToken(owner);
    const { application } = owner;
    const others = await server.clientToken(
      await storeApplication(server, { tenantId: application.tenantId }),
    );
    const boss = await server.clientToken(await storeManager(server, application.tenantId));
    const makers = [theirs, others, boss, theirs, theirs];
    const ids: string[] = [];
    for (const maker of makers) {
      ids.push((await create(fields(), maker)).body.result.resource_id);
      await server.advanceClock(1);
    }
    const pages = async (as: string) => {
      const found: string[][] = [];
      let query = '?limit=2';
      for (;;) {
        const { body } = await list(as, query);
        found.push(body.result.map(({ resource_id }) => resource_id));
        if (body.next_cursor === undefined) return found;
        query = `?${new URLSearchParams({ limit: '2', cursor: body.next_cursor })}`;
      }
    };
    expect(await pages(boss)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await pages(theirs)).toEqual([[ids[0], ids[3]], [ids[4]]]);
    expect(await pages(others)).toEqual([[ids[1]]]);
  });
});

describe('tokens for a resource', () => {
  let resource: WireResource;
  let email: string;
  beforeAll(async () => {
    resource = (await create(fields())).body.result;
    email = newEmail();
    await createUser(server, { email });
  });

  type Flow = (asked: { readonly resource: string }) => Promise<{
    readonly status: number;
    readonly body: object;
  }>;

  const person = () => ({ identifier_type: 'email', identifier: email });
  const post = (path: string, given: object) => server.post<Json>(path, given, { token });
  const authenticateOtp: Flow = async (asked) => {
    const { body } = await post('/v1/auth/otp/send', { channel: 'direct', ...person() });
    return post('/v1/auth/otp/authenticate', { ...person(), passcode: body.code, ...asked });
  };
  const digits = () => server.codeTo(email);

  /** Flows that issue user tokens for a resource. */
  const flows: Readonly<Record<string, Flow>> = {
    'magic link': async (asked) => {
      const [redirect_uri] = server.environment.redirect_uris;
      const sent = await post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, ...person() });
      return post('/v1/auth/link/email/authenticate', { code: sent.body.code, ...asked });
    },
    'one-time code': authenticateOtp,
    'existing session': async (asked) => {
      const { body } = (await authenticateOtp({ resource: resource.uri })) as { body: TokenResponse };
      return post('/v1/auth/session/authenticate', { session_id: body.session_id, ...asked });
    },
    'code-based login by code': async (asked) => {
      const caller = codeBased(server, token);
      await caller.sendEmailOtp({ email, ...asked });
      const validated = await caller.validateEmailOtp({ email, passcode: await digits() });
      return caller.exchange(await codeAt(validated.body.result));
    },
    'code-based login by link': async (asked) => {
      const caller = codeBased(server, token);
      await caller.sendLink({ email, ...asked });
      return caller.exchange(await codeAt(await server.linkTo(email)));
    },
    'authorization request': async (asked) => {
      const offline = { scope: 'openid offline_access', prompt: 'consent' };
      const target = await login.logIn(login.browser(), email, { ...offline, ...asked });
      if (!target.searchParams.has('code')) return { status: 400, body: answerIn(target) };
      return login.exchange(target);
    },
  };

  test.each(Object.entries(flows))(
    'a token for a resource has the audience and lifetime of the resource (login flow: %s)',
    async (_, flow) => {
      const asked = { resource: resource.uri };
      const { status, body } = (await flow(asked)) as { status: number; body: TokenResponse };
      expect({ status, body }).toMatchObject({ status: 200, body: { expires_in: 120 } });
      const { payload } = await verifyToken(server, body.access_token, resource.uri);
      expect(Number(payload.exp) - Number(payload.iat)).toBe(120);

      // Each refresh token is valid for 600 s, and the token family for 1500 s.
      await server.advanceClock(590);
      const second = await refresh(server, body.refresh_token);
      expect(second).toMatchObject({ status: 200, body: { expires_in: 120 } });
      await verifyToken(server, second.body.access_token, resource.uri);
      await server.advanceClock(590);
      const third = await refresh(server, second.body.refresh_token);
      expect(third.status).toBe(200);
      await server.advanceClock(325);
      expect(await refresh(server, third.body.refresh_token)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      token = await server.clientToken();
    },
  );

  test('an unused refresh token expires after the refresh_token_ttl of its resource', async () => {
    const { body } = (await authenticateOtp({ resource: resource.uri })) as { body: TokenResponse };
    await server.advanceClock(600);
    expect(await refresh(server, body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test.each(Object.keys(flows))(
    'the login flow "%s" returns the same error for a forbidden resource and for an unknown resource',
    async (name) => {
      [token, admin] = [await server.clientToken(), await server.adminToken()];
      const neighbours = await server.clientToken(await storeApplication(server));
      const foreigners = await server.clientToken(await storeTenant(server));
      const uris = [
        (await create(fields(), neighbours)).body.result.uri,
        (await create(fields(), admin)).body.result.uri,
        (await create(fields(), foreigners)).body.result.uri,
        'https://unknown.example.com/',
      ];
      const answers = [];
      for (const uri of uris) {
        const caller = codeBased(server, token);
        const [redirect_uri] = server.environment.redirect_uris;
        // Code-based logins and authorization requests name the resource, and are rejected, in their first request.
        if (name === 'code-based login by code')
          answers.push(await caller.sendEmailOtp({ email, resource: uri }));
        else if (name === 'code-based login by link')
          answers.push(await caller.sendLink({ email, resource: uri }));
        else if (name === 'authorization request')
          answers.push({
            status: 400,
            body: answerIn(
              new URL(
                (await server.request(hostedLogin(server).address({ resource: uri }))).headers.get(
                  'location',
                ) ??
                  redirect_uri ??
                  '',
              ),
            ),
          });
        else answers.push(await flows[name]?.({ resource: uri }));
        await server.advanceClock(61);
      }
      const [first] = answers;
      expect(first?.status).toBe(400);
      expect(JSON.stringify(first?.body)).toMatch(/Resource not found|invalid_target/);
      // The error must not reveal whether the resource exists or who owns it.
      for (const answer of answers) expect(answer?.body).toEqual(first?.body);
    },
  );

  test('SPEC D: a client gets a token only for resources of its application', async () => {
    const grant = { grant_type: 'client_credentials' };
    const { status, body } = await askToken(server, { ...grant, resource: resource.uri });
    expect({ status, body }).toMatchObject({ status: 200, body: { expires_in: 120 } });
    await verifyToken(server, body.access_token, resource.uri);
    const shared = (await create(fields(), await server.adminToken())).body.result;
    expect(await askToken(server, { ...grant, resource: shared.uri })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
    // A management client can get a token for every resource of its tenant.
    const { client_id: clientId, client_secret: clientSecret } = server.environment.management;
    const answer = await askToken(server, { ...grant, resource: shared.uri }, { clientId, clientSecret });
    expect(answer.status).toBe(200);
  });

  test("within one minute after a resource's token lifetime changes, new tokens have the new lifetime", async () => {
    token = await server.clientToken();
    const { body } = (await authenticateOtp({ resource: resource.uri })) as { body: TokenResponse };
    await change(resource.resource_id, { access_token_ttl: 90 });
    await server.advanceClock(61);
    expect((await refresh(server, body.refresh_token)).body.expires_in).toBe(90);
    expect(((await authenticateOtp({ resource: resource.uri })).body as TokenResponse).expires_in).toBe(90);
  });

  test('within one minute after a resource was deleted, token requests for it are rejected', async () => {
    const gone = (await create(fields())).body.result;
    const { body } = (await authenticateOtp({ resource: gone.uri })) as { body: TokenResponse };
    expect((await remove(gone.resource_id)).status).toBe(204);
    await server.advanceClock(61);
    expect((await authenticateOtp({ resource: gone.uri })).status).toBe(400);
    expect(await refresh(server, body.refresh_token)).toMatchObject({ status: 400 });
  });
});
