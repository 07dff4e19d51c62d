// The attacker is another tenant of the same environment. It cannot obtain tokens that a victim's API accepts, and cannot take
// the victim's resource URIs or passkey origins.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { madeApplication, madeClient, resourceFields } from '../support/fixtures/managed.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { storeApplication, storeManager, storeTenant } from '../support/fixtures/tenants.ts';
import { type TokenResponse, tokensDirect, verifyToken } from '../support/fixtures/tokens.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { askToken, type ClientWithSecret, refresh } from '../support/tools/authorized.ts';

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly result: { readonly resource_id: string; readonly uri: string };
  readonly message?: unknown;
}
const DAY = 24 * 3600;

const server = useTestServer({ rateLimits: 'off' });
let attacker: ClientWithSecret & { readonly tenantId: string; readonly manager: ClientWithSecret };
beforeAll(async () => {
  const { application, ...client } = await storeTenant(server);
  const { tenantId } = application;
  attacker = { ...client, tenantId, manager: await storeManager(server, tenantId) };
});

const newUri = () => `https://${randomUUID()}.example.com/orders`;
const create = async (uri: string, as?: ClientWithSecret) =>
  server.post<Answer>('/v1/resources', resourceFields({ uri }), { token: await server.clientToken(as) });
const change = async (id: string, uri: string, as?: ClientWithSecret) =>
  server.put<Answer>(`/v1/resources/${id}`, { uri }, { token: await server.clientToken(as) });
const remove = async (id: string, as?: ClientWithSecret) =>
  server.delete(`/v1/resources/${id}`, { token: await server.clientToken(as) });
const clientToken = (resource: string, as?: ClientWithSecret) =>
  askToken<Json>(server, { grant_type: 'client_credentials', resource }, as);

const TAKEN = 'uri: belongs to another tenant of this environment, or did in the last 90 days';
const taken = { status: 400, body: { error_code: 400, message: [TAKEN] } };
const pickAnswer = ({ status, body }: { readonly status: number; readonly body: unknown }) => ({
  status,
  body,
});

/** Logs in a new user of the demo application. Returns the tokens, which are for the resource if one is given. */
async function userToken(resource?: string): Promise<TokenResponse> {
  const email = newEmail();
  await createUser(server, { email });
  return tokensDirect(server, email, resource === undefined ? {} : { resource });
}

describe("attacker who registers the URI of a victim's API as a resource", () => {
  test('a tenant cannot obtain tokens for the resource URI of another tenant', async () => {
    const uri = newUri();
    expect((await create(uri)).status).toBe(201);
    expect(pickAnswer(await create(uri, attacker))).toEqual(taken);
    expect(pickAnswer(await create(uri, attacker.manager))).toEqual(taken);
    const own = await create(newUri(), attacker);
    expect(own.status).toBe(201);
    expect(pickAnswer(await change(own.body.result.resource_id, uri, attacker))).toEqual({
      status: 400,
      body: { error_code: 400, message: TAKEN },
    });
    expect(await clientToken(uri, attacker)).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });

    // The owner still gets tokens for the URI, and the attacker gets tokens for the attacker's own resource.
    const { payload } = await verifyToken(server, (await userToken(uri)).access_token, uri);
    expect(payload).toMatchObject({ aud: uri, tid: server.environment.tenant_id });
    expect(await clientToken(own.body.result.uri, attacker)).toMatchObject({ status: 200 });
  });
});

describe('API that uses the application ID as the audience', () => {
  test('with the setting app_id_audience, tokens contain the application ID as an additional audience', async () => {
    const { app_id: appId, issuer } = server.environment;
    const set = async (app_id_audience: boolean) => {
      const as = { token: await server.adminToken() };
      const { status } = await server.put(`/v1/applications/${appId}`, { app_id_audience }, as);
      expect(status).toBe(200);
      await server.advanceClock(61);
    };
    const readAudience = async (token: string) => (await verifyToken(server, token, issuer)).payload.aud;
    expect(await readAudience(await server.clientToken())).toBe(issuer);
    await set(true);
    try {
      const named = [issuer, appId];
      const login = await userToken();
      expect(await readAudience(login.access_token)).toEqual(named);
      expect(await readAudience((await refresh(server, login.refresh_token)).body.access_token)).toEqual(
        named,
      );
      expect(await readAudience(await server.clientToken())).toEqual(named);
      // Tokens of another tenant or of another application do not contain this application's ID as an audience.
      const side = await storeApplication(server);
      for (const other of [attacker, side, attacker.manager])
        expect(await readAudience(await server.clientToken(other))).toBe(issuer);
      // A token for a resource has only the resource as audience. UserInfo accepts tokens with the second audience.
      const { uri } = (await create(newUri())).body.result;
      const { payload } = await verifyToken(server, (await userToken(uri)).access_token, uri);
      expect(payload.aud).toBe(uri);
      expect((await server.get('/oidc/me', { token: login.access_token })).status).toBe(200);
    } finally {
      await set(false);
    }
  });
});

describe('resource URI that its tenant no longer uses', () => {
  const deletion = async (uri: string) => {
    const { body } = await create(uri);
    return async () => expect((await remove(body.result.resource_id)).status).toBe(204);
  };
  const renaming = async (uri: string) => {
    const { body } = await create(uri);
    return async () => expect((await change(body.result.resource_id, newUri())).status).toBe(200);
  };
  const deleteApplication = async (uri: string) => {
    const appId = await madeApplication(server);
    const { client_id: clientId, client_secret: clientSecret } = await madeClient(server, {}, appId);
    expect((await create(uri, { clientId, clientSecret })).status).toBe(201);
    return async () => {
      const as = { token: await server.adminToken() };
      expect((await server.delete(`/v1/applications/${appId}`, as)).status).toBe(204);
    };
  };

  test.each(Object.entries({ deletion, renaming, 'deletion of the application': deleteApplication }))(
    'a resource URI that a tenant gives up by %s is unavailable to other tenants for 90 days',
    async (_, prepare) => {
      const uri = newUri();
      const giveUp = await prepare(uri);
      // The 90 days begin when the URI is given up, so a long use before does not shorten them.
      await server.advanceClock(100 * DAY);
      await giveUp();
      expect(pickAnswer(await create(uri, attacker))).toEqual(taken);
      await server.advanceClock(90 * DAY - 60);
      expect(pickAnswer(await create(uri, attacker))).toEqual(taken);
      await server.advanceClock(120);
      const answers = await Promise.all([create(uri, attacker), create(uri)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    },
  );
});

describe('hosts and resource URIs that an operator assigns to tenants', () => {
  const otl = async (...args: string[]) => {
    const answer = await otlWith({ OTL_ENDPOINT: server.url }, args);
    return { ...answer, json: answer.stdout.startsWith('{') ? (JSON.parse(answer.stdout) as Json) : {} };
  };

  test('an operator can reserve a host for a tenant that does not use the host yet', async () => {
    const host = `${randomUUID()}.example.com`;
    expect(await otl('resource', 'reserve-host', '--host', host)).toMatchObject({ code: 0 });
    for (const uri of [`https://${host}/orders`, `https://${host.toUpperCase()}:8443/x`, `https://${host}./`])
      expect(pickAnswer(await create(uri, attacker))).toEqual(taken);
    expect((await create(`https://other-${host}/`, attacker)).status).toBe(201);
    expect((await create(`https://${host}/orders`)).status).toBe(201);

    const again = await otl('resource', 'reserve-host', '--host', host, '--tenant', attacker.tenantId);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('another tenant') });
    expect((await otl('resource', 'list-hosts', '--json')).json.result).toContainEqual(
      expect.objectContaining({ host, tenant_id: server.environment.tenant_id }),
    );
    expect(await otl('resource', 'free-host', '--host', host, '--yes')).toMatchObject({ code: 0 });
    expect((await create(`https://${host}/later`, attacker)).status).toBe(201);
  });

  test('an operator can take a resource URI away from a tenant that has no right to the URI', async () => {
    const uri = newUri();
    const squatted = (await create(uri, attacker)).body.result;
    expect((await clientToken(uri, attacker)).status).toBe(200);
    expect(pickAnswer(await create(uri))).toEqual(taken);

    const moved = await otl('resource', 'move-uri', '--uri', uri, '--yes');
    expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining(attacker.tenantId) });
    await server.advanceClock(61);
    expect(await clientToken(uri, attacker)).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
    expect((await create(uri)).status).toBe(201);
    expect((await clientToken(uri)).status).toBe(200);
    // The attacker can change its resource to another URI, but cannot get the moved URI back.
    expect((await change(squatted.resource_id, newUri(), attacker)).status).toBe(200);
    expect((await change(squatted.resource_id, uri, attacker)).status).toBe(400);
    expect((await clientToken(uri, attacker)).status).toBe(400);
  });
});

async function newTenant() {
  const { application } = await storeTenant(server);
  return server.clientToken(await storeManager(server, application.tenantId));
}

describe('hosts that may use the passkeys of the login service', () => {
  const list = async () =>
    (
      await server.get<{ origins: string[] }>(
        `${new URL(server.environment.base_url).origin}/.well-known/webauthn`,
      )
    ).body.origins;
  const hosts = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `https://${name}-${n}.example`);

  test('the hosts of one tenant cannot use up the five related origins for passkeys', async () => {
    const greedy = await newTenant();
    const taken = [...hosts('greedy', 5), ...hosts('greedier', 5)];
    await madeApplication(server, { origins: taken.slice(0, 5) }, greedy);
    await server.advanceClock(1);
    await madeApplication(server, { origins: taken.slice(5) }, greedy);
    await server.advanceClock(61);
    // If only one tenant has origins, the tenant can use all five entries.
    expect(await list()).toEqual(taken.slice(0, 5));

    const honest = ['https://shop.example', 'https://bank.example'];
    for (const origin of honest) await madeApplication(server, { origins: [origin] }, await newTenant());
    await server.advanceClock(61);
    const listed = await list();
    expect(listed).toHaveLength(5);
    expect(listed).toEqual(expect.arrayContaining(honest));
    expect(listed.filter((origin) => taken.includes(origin))).toEqual(taken.slice(0, 3));
  });
});
