import { beforeAll, describe, expect, test } from '@jest/globals';
import { readErrorCode, useAuthorization } from '../../support/fixtures/authorization.ts';
import { decodeClaims, leftTo } from '../../support/fixtures/hosted-login.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';

const { server, login, loggedIn, pushed, ask } = useAuthorization();

type Fields = Readonly<Record<string, string | undefined>>;

const SCOPES = [
  { name: 'notes:read', sentence: { en: 'Read your notes', de: 'Deine Notizen lesen' }, default: true },
  { name: 'notes:write', sentence: { en: 'Change your notes' } },
  { name: 'notes:burn', acr: 'mfa' },
  { name: 'notes:sign', max_age: 300 },
];

let notes: string;
let orders: string;

beforeAll(async () => {
  const token = await server.clientToken();
  const make = async (scopes: readonly object[]) =>
    (await made<{ uri: string }>(server, '/v1/resources', resourceFields({ scopes }), token)).uri;
  notes = await make(SCOPES);
  orders = await make([{ name: 'orders:read' }]);
});

/** Logs in with these parameters. Returns the token response and the claims of its access token. */
async function granted(change: Fields) {
  const { target } = await loggedIn(change);
  const { status, body } = await login.exchange(target);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { ...body, access: decodeClaims(body.access_token) };
}

describe('authorization requests for the scopes of a resource', () => {
  test.each<[string, () => Fields, string, () => string]>([
    [
      'granted if requested by name',
      () => ({ resource: notes, scope: 'notes:write' }),
      'notes:write',
      () => notes,
    ],
    [
      'granted besides scopes of the service',
      () => ({ resource: notes, scope: 'openid notes:read email' }),
      'openid email notes:read',
      () => notes,
    ],
    ['sufficient to select its resource', () => ({ scope: 'orders:read' }), 'orders:read', () => orders],
    ['granted by default', () => ({ resource: notes, scope: undefined }), 'notes:read', () => notes],
    [
      'not granted if the resource does not define it',
      () => ({ resource: notes, scope: 'notes:read orders:read unknown' }),
      'notes:read',
      () => notes,
    ],
    [
      'empty if none is requested and the resource has no default',
      () => ({ resource: orders, scope: undefined }),
      '',
      () => orders,
    ],
  ])('the scope of a resource is %s', async (_, change, scope, uri) => {
    const { access, ...answer } = await granted(change());
    expect(answer.scope).toBe(scope);
    expect(access).toMatchObject({ scope, aud: uri() });
    expect('id_token' in answer).toBe(scope.includes('openid'));
    expect(answer).not.toHaveProperty('refresh_token');
  });

  test("a token refresh can request fewer of the resource's scopes", async () => {
    const answer = await granted({ resource: notes, scope: 'notes:read notes:write offline_access' });
    expect(answer.scope).toBe('offline_access notes:read notes:write');
    const { client_id, client_secret } = server.environment;
    const { body } = await server.form('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token: answer.refresh_token ?? '',
      scope: 'notes:read',
      client_id,
      client_secret,
    });
    expect(body).toMatchObject({ scope: 'notes:read' });
    expect(body).not.toHaveProperty('id_token');
  });

  test('a resource can require a second factor or a recent login for one of its scopes', async () => {
    const { jar } = await loggedIn();
    const silent = async (scope: string) =>
      readErrorCode(leftTo(await ask(jar, { resource: notes, scope, prompt: 'none' })));
    expect(await silent('notes:write')).toBeNull();
    expect(await silent('notes:burn')).toBe('interaction_required');
    expect(await silent('notes:sign')).toBeNull();
    await server.advanceClock(400);
    expect(await silent('notes:sign')).toBe('login_required');
    expect(await silent('notes:write')).toBeNull();
  });

  test("a scope of another application's resource is not granted", async () => {
    const token = await server.clientToken(await storeApplication(server));
    await made(server, '/v1/resources', resourceFields({ scopes: [{ name: 'foreign:read' }] }), token);
    const { left } = await ask(login.browser(), { scope: 'foreign:read' });
    expect(left?.searchParams.get('error_description')).toContain('openid');
  });
});

test("a pushed request for a resource's scopes must also contain the scope openid", async () => {
  const { body } = await server.form('/oidc/request', {
    ...login.parameters({ resource: notes, scope: 'notes:read' }),
    client_id: server.environment.client_id,
    client_secret: server.environment.client_secret,
  });
  expect(body).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('openid'),
  });
  const { jar } = await loggedIn();
  const reference = await pushed({ resource: notes, scope: 'openid notes:write' });
  const page = await jar.open(
    `${server.environment.issuer}/auth?${new URLSearchParams(reference as Record<string, string>)}`,
  );
  expect((await login.exchange(leftTo(page))).body).toMatchObject({ scope: 'openid notes:write' });
});

describe('defining the scopes of a resource', () => {
  test.each<[string, readonly object[], RegExp]>([
    ['the name of a scope of the service', [{ name: 'email' }], /scopes\.0\.name: is a scope of the service/],
    ['the same name twice', [{ name: 'a:b' }, { name: 'a:b' }], /scopes\.1\.name: must be unique/],
    ['a name with a space', [{ name: 'a b' }], /scopes\.0\.name: must be a scope/],
    ['more than 20 entries', Array.from({ length: 21 }, (_, n) => ({ name: `s:${n}` })), /scopes/],
  ])('a resource is rejected if its list of scopes contains %s', async (_, scopes, message) => {
    const answer = await server.post('/v1/resources', resourceFields({ scopes }), {
      token: await server.adminToken(),
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(message);
  });
});
