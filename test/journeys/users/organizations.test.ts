import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { decodeClaims, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { made, madeMember } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { storeTenant } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken, refresh } from '../../support/tools/authorized.ts';

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly result: Json;
}

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
let admin: string;
let token: string;
beforeAll(async () => {
  [admin, token] = [await server.adminToken(), await server.clientToken()];
});

const call = (method: string, path: string, as: string, json?: Json) =>
  server.request<Answer>(path, {
    method,
    token: as,
    ...(json ? { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } } : {}),
  });
const members = (organizationId: string) => `/v1/organizations/${organizationId}/members`;

interface Member {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
}

/** Creates a user with an email address, and makes the user a member of the organization, or of a new one if none is given. */
async function member(roles: readonly string[], organizationId?: string): Promise<Member> {
  const email = newEmail();
  const { user_id: userId } = await createUser(server, { email });
  const id =
    organizationId ?? (await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' })).org_id;
  await made(server, members(id), { user_id: userId, roles });
  return { organizationId: id, userId, email };
}

const CLAIMS = {
  id_token: { org_roles: null, permissions: null, roles: null },
  access_token: { org_roles: null, permissions: null },
};

/** Logs in with a one-time code, to an organization if `org_id` is given. */
const logIn = ({ email }: { readonly email: string }, org_id?: string) =>
  tokensDirect(server, email, { org_id, claims: CLAIMS });

describe('API operations for organizations and members', () => {
  test('organizations and members can be created, read, changed and deleted with a token of a management client', async () => {
    const created = await call('POST', '/v1/organizations', admin, { name: 'Acme' });
    expect(created).toMatchObject({ status: 201 });
    const { result } = created.body;
    expect(result).toEqual({
      org_id: expect.stringMatching(/^[a-z0-9]{25}$/),
      tenant_id: server.environment.tenant_id,
      name: 'Acme',
      created_at: expect.any(String),
      updated_at: result.created_at,
    });
    const path = `/v1/organizations/${result.org_id}`;
    expect((await call('GET', path, admin)).body).toEqual({ result });
    const listed = await call('GET', '/v1/organizations?limit=100', admin);
    expect(listed.body.result).toContainEqual(result);
    expect((await call('PUT', path, admin, { name: 'Acme Ltd' })).body.result.name).toBe('Acme Ltd');

    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const joined = await call('POST', `${path}/members`, admin, { user_id, roles: ['buyer', 'buyer'] });
    expect(joined).toMatchObject({
      status: 201,
      body: { result: { org_id: result.org_id, user_id, roles: ['buyer'] } },
    });
    expect(await call('POST', `${path}/members`, admin, { user_id })).toMatchObject({ status: 409 });
    const named = { ...joined.body.result, display_name: email };
    expect((await call('GET', `${path}/members`, admin)).body.result).toEqual([named]);
    expect((await call('GET', `${path}/members/${user_id}`, admin)).body.result).toEqual(named);
    const kept = await call('PUT', `${path}/members/${user_id}`, admin, {});
    expect(kept.body.result.roles).toEqual(['buyer']);
    const changed = await call('PUT', `${path}/members/${user_id}`, admin, { roles: null });
    expect(changed.body.result.roles).toEqual([]);
    expect((await call('DELETE', `${path}/members/${user_id}`, admin)).status).toBe(204);
    expect(await call('GET', `${path}/members/${user_id}`, admin)).toMatchObject({
      status: 404,
      body: { message: 'Member not found' },
    });
    expect((await call('DELETE', path, admin)).status).toBe(204);
    for (const gone of [path, `${path}/members`, `${path}/members/${user_id}`])
      expect(await call('GET', gone, admin)).toMatchObject({
        status: 404,
        body: { message: 'Organization not found' },
      });
  });
});

describe('logging in to an organization', () => {
  /** Flows that issue tokens for an organization. */
  const flows: Readonly<
    Record<
      string,
      (of: Member) => Promise<{ access_token: string; id_token: string; refresh_token?: string }>
    >
  > = {
    'magic link': async ({ email, organizationId }) => {
      const person = { identifier_type: 'email', identifier: email };
      const [redirect_uri] = server.environment.redirect_uris;
      const { body } = await server.post(
        '/v1/auth/link/email/send',
        { channel: 'direct', redirect_uri, ...person },
        { token },
      );
      const given = { code: body.code, org_id: organizationId, claims: CLAIMS };
      return (await server.post<TokenResponse>('/v1/auth/link/email/authenticate', given, { token })).body;
    },
    'one-time code': (of) => logIn(of, of.organizationId),
    'existing session': async (of) => {
      const { session_id } = await logIn(of);
      const given = { session_id, org_id: of.organizationId, claims: CLAIMS };
      return (await server.post<TokenResponse>('/v1/auth/session/authenticate', given, { token })).body;
    },
    'code-based login by code': async ({ email, organizationId }) => {
      const caller = codeBased(server, token);
      const result = await caller.resultByEmail(email, { org_id: organizationId, claims: CLAIMS });
      return (await caller.exchange(await codeAt(result))).body;
    },
    'code-based login by link': async ({ email, organizationId }) => {
      const caller = codeBased(server, token);
      await caller.sendLink({ email, org_id: organizationId, claims: CLAIMS });
      return (await caller.exchange(await codeAt(await server.linkTo(email)))).body;
    },
    'authorization request': async ({ email, organizationId }) => {
      const asked = {
        org_id: organizationId,
        claims: JSON.stringify(CLAIMS),
        scope: 'openid offline_access',
        prompt: 'consent',
      };
      return (await login.exchange(await login.logIn(login.browser(), email, asked))).body;
    },
  };

  const MAY = ['members:create', 'members:read', 'members:edit', 'members:delete'];

  test.each(Object.entries(flows))(
    "the tokens of a login to an organization contain the user's roles in the organization: %s",
    async (_, flow) => {
      const of = await member(['organizationAdmin', 'buyer']);
      const roles = ['organizationAdmin', 'buyer'];
      const said = { org_id: of.organizationId, org_roles: roles, permissions: MAY, roles };
      const tokens = await flow(of);
      expect(decodeClaims(tokens.access_token)).toMatchObject(said);
      expect(decodeClaims(tokens.id_token)).toMatchObject(said);

      // A refresh returns the current roles, and fails after the user was removed from the organization.
      await call('PUT', `${members(of.organizationId)}/${of.userId}`, admin, { roles: ['buyer'] });
      const next = (await refresh(server, tokens.refresh_token ?? '')).body;
      for (const fresh of [next.access_token, next.id_token])
        expect(decodeClaims(fresh)).toMatchObject({
          org_id: of.organizationId,
          org_roles: ['buyer'],
          permissions: [],
          roles: ['buyer'],
        });
      await call('DELETE', `${members(of.organizationId)}/${of.userId}`, admin);
      expect(await refresh(server, next.refresh_token)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    },
  );

  test('the tokens of a login without org_id contain no organization', async () => {
    const of = await member(['organizationAdmin']);
    const { access_token, id_token } = await logIn(of);
    for (const each of [access_token, id_token]) {
      for (const claim of ['org_id', 'org_roles']) expect(decodeClaims(each)).not.toHaveProperty(claim);
      // Without org_id, the roles in the organization grant no permissions.
      expect(decodeClaims(each).permissions).toEqual([]);
    }
  });

  test('after an organization was deleted, refresh tokens of its logins are rejected', async () => {
    const of = await member(['buyer']);
    const { refresh_token } = await logIn(of, of.organizationId);
    await call('DELETE', `/v1/organizations/${of.organizationId}`, admin);
    expect((await refresh(server, refresh_token)).status).toBe(400);
    await expect(logIn(of, of.organizationId)).rejects.toThrow('User is not a member of the organization');
  });
});

describe('organization members with an administrative role', () => {
  test.each([['organizationAdmin'], ['organizationCreator']])(
    'a member with the role %s can manage the members of the organization',
    async (role) => {
      const boss = await member([role]);
      const { access_token: as } = await logIn(boss, boss.organizationId);
      const path = members(boss.organizationId);
      const { user_id } = await createUser(server, { email: newEmail() });
      expect(await call('POST', path, as, { user_id, roles: ['buyer'] })).toMatchObject({ status: 201 });
      const listed = await call('GET', path, as);
      expect(listed.body.result).toHaveLength(2);
      expect(JSON.stringify(listed.body)).not.toContain('display_name');
      expect((await call('GET', `${path}/${user_id}`, as)).body.result.roles).toEqual(['buyer']);
      const changed = await call('PUT', `${path}/${user_id}`, as, { roles: ['seller'] });
      expect(changed.body.result.roles).toEqual(['seller']);
      expect((await call('DELETE', `${path}/${user_id}`, as)).status).toBe(204);
    },
  );

  test('an organization admin cannot see other organizations', async () => {
    const boss = await member(['organizationAdmin']);
    const { access_token: as } = await logIn(boss, boss.organizationId);
    const other = await madeMember(server);
    // The user is an admin of the other organization, too, but the token was issued for the first organization.
    await made(server, members(other.organizationId), { user_id: boss.userId, roles: ['organizationAdmin'] });
    for (const organizationId of [other.organizationId, 'nowhere']) {
      const path = members(organizationId);
      const one = `${path}/${other.userId}`;
      for (const answer of [
        call('POST', path, as, { user_id: boss.userId }),
        call('GET', path, as),
        call('GET', one, as),
        call('PUT', one, as, { roles: [] }),
        call('DELETE', one, as),
      ])
        expect(await answer).toMatchObject({
          status: 404,
          body: { error_code: 404, message: 'Organization not found' },
        });
    }
  });

  test('a member without an administrative role cannot manage members', async () => {
    const of = await member(['buyer']);
    const boss = await member(['organizationAdmin'], of.organizationId);
    const path = members(of.organizationId);
    for (const as of [
      (await logIn(of, of.organizationId)).access_token,
      (await logIn(boss)).access_token,
      (await logIn(of)).access_token,
    ])
      expect((await call('GET', path, as)).status).toBe(403);
  });

  test('an organization admin whose role was removed is rejected immediately', async () => {
    const endings: readonly (readonly [number, (of: Member, session: string) => Promise<unknown>])[] = [
      [403, (of) => call('PUT', `${members(of.organizationId)}/${of.userId}`, admin, { roles: ['buyer'] })],
      [403, (of) => call('DELETE', `${members(of.organizationId)}/${of.userId}`, admin)],
      [401, (_, session_id) => server.post('/v1/auth/session/logout', { session_id }, { token })],
      [401, (of) => call('PUT', `/v1/users/${of.userId}`, admin, { status: 'Disabled' })],
      [401, (of) => call('DELETE', `/v1/users/${of.userId}`, admin)],
      [403, (of) => call('DELETE', `/v1/organizations/${of.organizationId}`, admin)],
    ];
    for (const [status, end] of endings) {
      const boss = await member(['organizationAdmin']);
      const login = await logIn(boss, boss.organizationId);
      const list = () => call('GET', members(boss.organizationId), login.access_token);
      expect((await list()).status).toBe(200);
      await end(boss, login.session_id);
      expect((await list()).status).toBe(status);
    }
  });

  test("an organization admin's token for a different resource is rejected", async () => {
    const boss = await member(['organizationAdmin']);
    const resource = await made<{ uri: string }>(
      server,
      '/v1/resources',
      {
        name: 'Orders',
        uri: 'https://orders.example.com/',
        access_token_ttl: 600,
        refresh_token_ttl: 600,
        max_refresh_rotate: 600,
      },
      token,
    );
    const { session_id } = await logIn(boss);
    const { body } = await server.post<TokenResponse>(
      '/v1/auth/session/authenticate',
      { session_id, org_id: boss.organizationId, resource: resource.uri },
      { token },
    );
    expect((await call('GET', members(boss.organizationId), body.access_token)).status).toBe(401);
  });

  test("an organization admin cannot add another tenant's user", async () => {
    const boss = await member(['organizationAdmin']);
    const { access_token: as } = await logIn(boss, boss.organizationId);
    const foreigner = await storeTenant(server);
    const { user_id } = await made<{ user_id: string }>(
      server,
      '/v1/users',
      { email: newEmail() },
      (await askToken(server, { grant_type: 'client_credentials' }, foreigner)).body.access_token,
    );
    expect(await call('POST', members(boss.organizationId), as, { user_id })).toMatchObject({
      status: 404,
      body: { message: 'User not found' },
    });
  });
});
