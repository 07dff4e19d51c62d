import { beforeAll, describe, expect, test } from '@jest/globals';
import { SESSION_FAMILIES_MAX } from '../../../shared/domain/basis/limits.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import { findUser, replaceUser } from '../../support/fixtures/people.ts';
import { storeApplication, storeMember, storeResource, storeTenant } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, tokensDirect, verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { introspect, logIn, refresh } from '../../support/tools/authorized.ts';

const server = useTestServer();
let token: string;
beforeAll(async () => {
  token = await server.clientToken();
});

/** Sends a POST request with the current client token or the given one. */
async function post<Body = TokenResponse>(path: string, fields: object, by = token) {
  return server.post<Body>(path, fields, { token: by });
}
const authenticate = (fields: object, by?: string) => post('/v1/auth/session/authenticate', fields, by);
const endSession = (session_id: string, by?: string) =>
  post<unknown>('/v1/auth/session/logout', { session_id }, by);
const listSessions = (userId: string, by = token) =>
  server.get<{ session_id: string; start_time: string; expiration_time: string }[]>(
    `/v1/auth/users/${userId}/sessions`,
    { token: by },
  );

/** Creates a client of another application of the tenant, and a client of another tenant. */
async function strangers() {
  return {
    neighbour: await server.clientToken(await storeApplication(server)),
    foreigner: await server.clientToken(await storeTenant(server)),
  };
}

describe('API call that authenticates a session', () => {
  test('authenticating a session returns tokens with the subject and login time of the original login', async () => {
    const { user, tokens } = await logIn(server);
    const before = await findUser(server, user.user_id);
    const { status, body } = await authenticate({ session_id: tokens.session_id });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        session_id: tokens.session_id,
        id_token: expect.any(String),
        refresh_token: expect.any(String),
      },
    });
    const [first, again] = await Promise.all(
      [tokens.id_token, body.id_token].map((one) => verifyToken(server, one, server.environment.client_id)),
    );
    const { sub, auth_time, amr } = first?.payload ?? {};
    expect(again?.payload).toMatchObject({ sub, auth_time, amr, new_user: false });
    expect((await findUser(server, user.user_id)).last_auth).toBe(before.last_auth);
    expect((await refresh(server, body.refresh_token)).status).toBe(200);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test('a request to authenticate a session can contain a resource, claims and an organization', async () => {
    const resource = await storeResource(server);
    const { user, tokens } = await logIn(server);
    const { organizationId } = await storeMember(server, {
      userId: user.user_id,
      roles: ['organizationCreator'],
    });
    const { body } = await authenticate({
      session_id: tokens.session_id,
      resource: resource.uri,
      org_id: organizationId,
      claims: { id_token: { org_roles: null } },
      client_attributes: { user_agent: 'Shop/1.0', ip_address: '203.0.113.9' },
    });
    expect(body.expires_in).toBe(resource.accessTokenSeconds);
    const access = await verifyToken(server, body.access_token, resource.uri);
    expect(access.payload).toMatchObject({ org_id: organizationId, roles: ['organizationCreator'] });
    const id = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(id.payload).toMatchObject({ org_id: organizationId, org_roles: ['organizationCreator'] });
  });

  test('authenticating an unknown or ended session returns 400 "Session not found"', async () => {
    const { tokens } = await logIn(server);
    const over = await logIn(server);
    await endSession(over.tokens.session_id);
    const { neighbour, foreigner } = await strangers();
    const cases: readonly (readonly [string, string?])[] = [
      ['nonsense'],
      ['.'],
      ['🙂'.repeat(128)],
      [`${newId()}.${newId()}`],
      [over.tokens.session_id],
      [tokens.session_id, neighbour],
      [tokens.session_id, foreigner],
    ];
    for (const [session_id, by] of cases)
      expect(await authenticate({ session_id }, by)).toMatchObject({
        status: 400,
        body: { message: 'Session not found', error_code: 400 },
      });
    expect((await authenticate({ session_id: tokens.session_id })).status).toBe(200);
  });

  test('a request to authenticate a session for an unknown resource or organization is rejected', async () => {
    const { tokens } = await logIn(server);
    const { session_id } = tokens;
    expect(await authenticate({ session_id, resource: 'https://x.example/' })).toMatchObject({
      status: 400,
      body: { message: 'Resource not found' },
    });
    expect(await authenticate({ session_id, org_id: newId() })).toMatchObject({
      status: 400,
      body: { message: 'User is not a member of the organization' },
    });
  });

  test('a request to authenticate a session of a disabled user is rejected', async () => {
    const { user, tokens } = await logIn(server);
    await replaceUser(server, user.user_id, () => ({ status: 'Disabled' }));
    expect(await authenticate({ session_id: tokens.session_id })).toMatchObject({
      status: 403,
      body: { message: 'User is not active', error_code: 403 },
    });
  });

  test('a request to authenticate a session whose credentials were superseded is rejected', async () => {
    const { user, tokens } = await logIn(server);
    await replaceUser(server, user.user_id, ({ generations: { highest } }) => ({
      generations: { valid: [highest + 1], highest: highest + 1 },
    }));
    const { status, body } = await authenticate({ session_id: tokens.session_id });
    expect([status, body]).toEqual([400, expect.objectContaining({ message: 'Session not found' })]);
  });

  test('if a session has too many refresh tokens, the oldest one is revoked', async () => {
    const { tokens } = await logIn(server);
    const { session_id } = tokens;
    const all = [tokens.refresh_token];
    for (let n = 0; n < SESSION_FAMILIES_MAX; n += 1) {
      await server.advanceClock(1);
      all.push((await authenticate({ session_id })).body.refresh_token);
    }
    const alive = await Promise.all(all.map(async (each) => (await introspect(server, each)).active));
    expect(alive).toEqual([false, ...new Array(SESSION_FAMILIES_MAX).fill(true)]);
  });
});

describe('ending a session through the API', () => {
  test('ending a session revokes all its tokens', async () => {
    const { tokens } = await logIn(server);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await endSession(tokens.session_id)).toMatchObject({ status: 204, body: undefined });
    for (const one of [tokens.access_token, tokens.refresh_token])
      expect(await introspect(server, one)).toEqual({ active: false });
  });

  test('an application cannot end a session of another application', async () => {
    const { tokens } = await logIn(server);
    const { neighbour, foreigner } = await strangers();
    for (const by of [neighbour, foreigner])
      expect((await endSession(tokens.session_id, by)).status).toBe(204);
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
  });
});

describe('N125 listing and ending the sessions of a user', () => {
  test('a backend can list and end all sessions of a user', async () => {
    const { user, tokens } = await logIn(server);
    const code = await authenticate({ session_id: tokens.session_id });
    expect(code.status).toBe(200);
    const { status, body } = await listSessions(user.user_id);
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        {
          session_id: tokens.session_id,
          start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
          expiration_time: expect.any(String),
        },
      ],
    });
    const [session] = body;
    const lives = Date.parse(session?.expiration_time ?? '') - Date.parse(session?.start_time ?? '');
    expect(Math.round(lives / 1000 / 60)).toBe(14 * 24 * 60);
    const path = `/v1/auth/users/${user.user_id}/sessions`;
    for (let turn = 0; turn < 2; turn += 1) expect((await server.delete(path, { token })).status).toBe(204);
    expect((await listSessions(user.user_id)).body).toEqual([]);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(400);
  });

  test('other tenants cannot see the sessions of a user', async () => {
    const { user } = await logIn(server);
    expect((await listSessions(user.user_id, await server.adminToken())).body).toHaveLength(1);
    const { foreigner } = await strangers();
    const path = `/v1/auth/users/${user.user_id}/sessions`;
    const unknown = { status: 404, body: { message: 'User not found', error_code: 404 } };
    expect(await listSessions(user.user_id, foreigner)).toMatchObject(unknown);
    expect(await server.delete(path, { token: foreigner })).toMatchObject(unknown);
    expect((await listSessions(newId())).status).toBe(404);
    expect((await listSessions(user.user_id)).body).toHaveLength(1);
  });
});

describe('N070 SPEC C "Logout" with an access token', () => {
  const logout = (access: string) => server.post('/v1/auth/logout', undefined, { token: access });

  test('SPEC C "Logout" ends the session of the access token and returns the number of ended sessions', async () => {
    const { tokens } = await logIn(server);
    for (const sessions_count of [1, 0, 0])
      expect(await logout(tokens.access_token)).toMatchObject({ status: 200, body: { sessions_count } });
    expect((await refresh(server, tokens.refresh_token)).status).toBe(400);
  });

  test('SPEC C "Logout" ignores the request body', async () => {
    for (const init of [{}, { body: '{' }, { body: 'x', headers: { 'content-type': 'text/plain' } }]) {
      const { tokens } = await logIn(server);
      const answer = await server.request('/v1/auth/logout', {
        method: 'POST',
        token: tokens.access_token,
        ...init,
      });
      expect(answer).toMatchObject({ status: 200, body: { sessions_count: 1 } });
    }
  });

  test('SPEC C "Logout" accepts a token for any resource', async () => {
    const resource = await storeResource(server);
    const { tokens } = await logIn(server, { resources: [resource.uri] });
    expect((await logout(tokens.access_token)).body).toEqual({ sessions_count: 1 });
  });

  test('SPEC C "Logout" does not end other sessions of the user', async () => {
    const { user, tokens } = await logIn(server);
    const { tokens: stranger } = await logIn(server);
    const other = await tokensDirect(server, user.email?.value ?? '');
    await logout(tokens.access_token);
    expect(await introspect(server, other.access_token)).toMatchObject({ active: true });
    expect(await introspect(server, stranger.access_token)).toMatchObject({ active: true });
    expect((await listSessions(user.user_id)).body.map(({ session_id }) => session_id)).toEqual([
      other.session_id,
    ]);
  });
});
