// The attacker has a revoked token or a revoked secret of an application's client or of a management client.
import { describe, expect, jest, test } from '@jest/globals';
import { withApplication } from '../support/fixtures/application.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import {
  made,
  madeClient,
  madeManager,
  resourceFields,
  type WireClient,
} from '../support/fixtures/managed.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { atOnce } from '../support/server/at-once.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  askToken,
  type ClientWithSecret,
  exchange,
  introspect,
  refresh,
  storeClient,
  storeCode,
} from '../support/tools/authorized.ts';

const server = useTestServer();

const buy = async (client: ClientWithSecret) =>
  (await askToken(server, { grant_type: 'client_credentials' }, client)).body.access_token;

const revoke = ({ clientId, clientSecret }: ClientWithSecret, token: string) =>
  server.form('/oidc/token/revocation', { client_id: clientId, client_secret: clientSecret, token });

/** Makes three API calls with a client token: listing users, sending a code and ending a session. Returns the statuses. */
async function reach(token: string): Promise<readonly number[]> {
  const { status } = await server.get('/v1/users?limit=1', { token });
  const send = { channel: 'direct', identifier_type: 'email', identifier: 'no.one@example.com' };
  const sent = await server.post('/v1/auth/otp/send', send, { token });
  const more = await server.post('/v1/auth/session/logout', { session_id: 'a.b' }, { token });
  return [status, sent.status, more.status];
}
const reaches = [200, 404, 204];
const refused = [401, 401, 401];

/** Returns functions that add and revoke secrets of a client, and the ID of the client's first secret. */
async function rotated(client: WireClient) {
  const path = `/v1/applications/${client.app_id}/clients/${client.client_id}/secrets`;
  const token = await server.adminToken();
  const add = async () => {
    const { body } = await server.post<{ result: WireClient }>(path, undefined, { token });
    return { secret: body.result.client_secret, secretId: body.result.secrets.at(-1)?.secret_id ?? '' };
  };
  const withdraw = (secretId: string) => server.delete(`${path}/${secretId}`, { token });
  return { add, withdraw, firstId: client.secrets[0]?.secret_id ?? '' };
}

const ofDemo = async () => {
  const wire = await madeClient(server, {}, server.environment.app_id);
  return { wire, client: { clientId: wire.client_id, clientSecret: wire.client_secret } };
};

describe('use of a revoked client token', () => {
  test('a revoked client token is rejected immediately, even by functions that still cache the old client record', async () => {
    const client = await storeClient(server);
    const [stolen, kept] = [await buy(client), await buy(client)];
    for (const token of [stolen, kept]) expect(await reach(token)).toEqual(reaches);
    expect((await revoke(client, stolen)).status).toBe(200);
    expect(await reach(stolen)).toEqual(refused);
    expect(await introspect(server, stolen, client)).toEqual({ active: false });

    expect(await reach(kept)).toEqual(reaches);
    expect(await introspect(server, kept, client)).toMatchObject({ active: true });
    await server.advanceClock(61);
    expect(await reach(stolen)).toEqual(refused);
    expect(await reach(await buy(client))).toEqual(reaches);
  });

  test('a revoked client token cannot be used to request login codes or obtain user tokens', async () => {
    const client = await storeClient(server);
    const email = newEmail();
    await createUser(server, { email });
    const stolen = await buy(client);
    const send = { channel: 'direct', identifier_type: 'email', identifier: email };
    const sent = async () => server.post('/v1/auth/otp/send', send, { token: stolen });
    expect((await sent()).body).toHaveProperty('code');
    await revoke(client, stolen);
    for (let tries = 0; tries < 3; tries += 1) {
      const { status, body } = await sent();
      expect([status, Object.keys(body as object)]).toEqual([401, ['error_code', 'message']]);
    }
  });

  test('a revoked token of a management client is rejected immediately', async () => {
    const { client_id: clientId, client_secret: clientSecret } = await madeManager(server);
    const client = { clientId, clientSecret };
    const [stolen, kept] = [await buy(client), await buy(client)];
    const list = async (token: string) => (await server.get('/v1/applications', { token })).status;
    for (const token of [stolen, kept]) expect(await list(token)).toBe(200);
    await revoke(client, stolen);
    expect([await list(stolen), await list(kept)]).toEqual([401, 200]);
    const made = await server.post('/v1/management-clients', { name: 'Backdoor' }, { token: stolen });
    expect(made.status).toBe(401);
  });

  test('when 25 client tokens are revoked at the same time, all of them are rejected afterwards', async () => {
    const client = await storeClient(server);
    const tokens = await atOnce(25, () => buy(client));
    const answers = await atOnce(25, (n) => revoke(client, tokens[n] ?? ''));
    // A 503 response means that the token still exists and the client should repeat the revocation (RFC 7009 §2.2.1).
    for (const [n, { status, headers }] of answers.entries()) {
      if (status === 200) continue;
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect((await revoke(client, tokens[n] ?? '')).status).toBe(200);
    }
    for (const token of tokens) expect((await server.get('/v1/users?limit=1', { token })).status).toBe(401);
  });
});

describe('use of a revoked client secret', () => {
  test('tokens that were issued for a client secret are rejected once the secret has been revoked', async () => {
    const { wire, client: stolen } = await ofDemo();
    const { add, withdraw, firstId } = await rotated(wire);
    const { secret } = await add();
    const own = { ...stolen, clientSecret: secret };
    const [bought, kept] = [await buy(stolen), await buy(own)];
    for (const token of [bought, kept]) expect(await reach(token)).toEqual(reaches);

    expect((await withdraw(firstId)).status).toBe(204);
    expect((await askToken(server, { grant_type: 'client_credentials' }, stolen)).status).toBe(401);
    expect(await reach(bought)).toEqual(refused);
    expect(await introspect(server, bought, own)).toEqual({ active: false });
    expect(await reach(kept)).toEqual(reaches);
    expect(await reach(await buy(own))).toEqual(reaches);
  });

  test.each([
    'because the rate counter of the client contains the revocation',
    'because the client record is read if the rate counter cannot be updated',
  ])(
    "a revoked client secret yields no tokens even if DynamoDB's response to the revocation was lost, %s",
    async (how) => {
      // Makes the SDK repeat failed calls without its random delay.
      const random = jest.spyOn(Math, 'random').mockReturnValue(0);
      const { wire, client: stolen } = await ofDemo();
      const { add, withdraw, firstId } = await rotated(wire);
      const own = { ...stolen, clientSecret: (await add()).secret };
      await server.advanceClock(301);
      for (let bought = 0; bought < 2; bought += 1) await buy(stolen);
      expect(server.metrics().token?.last.calls.toSorted()).toEqual(['dynamodb.UpdateItem', 'kms.Sign']);

      await server.faults.inject({ service: 'dynamodb', action: 'PutItem', effect: 'lost-answer' });
      expect((await withdraw(firstId)).status).toBe(503);
      await server.faults.clear();
      const fault = {
        service: 'dynamodb',
        action: 'UpdateItem',
        effect: 'error',
        code: 'Throttling',
      } as const;
      if (how.includes('cannot')) await server.faults.inject(fault);
      const status = async (client: ClientWithSecret) =>
        (await askToken(server, { grant_type: 'client_credentials' }, client)).status;
      expect([await status(stolen), await status(own)]).toEqual([401, 200]);
      await server.faults.clear();
      random.mockRestore();
    },
  );

  test("a revoked client secret is rejected even if several database items store the client's call counter", async () => {
    await withApplication(server, { rateLimits: { callsPerMinute: 1_000_000 } }, async () => {
      const { wire, client: stolen } = await ofDemo();
      const { add, withdraw, firstId } = await rotated(wire);
      const own = { ...stolen, clientSecret: (await add()).secret };
      for (let bought = 0; bought < 2; bought += 1) await buy(stolen);
      expect((await withdraw(firstId)).status).toBe(204);
      const grant = { grant_type: 'client_credentials' };
      const ask = async (client: ClientWithSecret) => (await askToken(server, grant, client)).status;
      for (let call = 0; call < 12; call += 1) expect(await ask(stolen)).toBe(401);
      const [revoked, kept] = [await buy(own), await buy(own)];
      for (const token of [revoked, kept]) expect(await reach(token)).toEqual(reaches);
      expect((await revoke(own, revoked)).status).toBe(200);
      for (let call = 0; call < 4; call += 1) expect(await reach(revoked)).toEqual(refused);
      expect(await reach(kept)).toEqual(reaches);
    });
  });

  test("a revoked client secret cannot be used to exchange a user's codes or refresh tokens", async () => {
    const { wire, client: stolen } = await ofDemo();
    const { add, withdraw, firstId } = await rotated(wire);
    const own = { ...stolen, clientSecret: (await add()).secret };
    const { user_id } = await createUser(server, { email: newEmail() });
    const newCode = () => storeCode(server, user_id, { clientId: own.clientId });
    const { body: before } = await exchange(server, await newCode(), {}, stolen);
    const code = await newCode();
    // Fills the cache of the function with the client's record.
    expect((await revoke(stolen, 'unknown')).status).toBe(200);

    await withdraw(firstId);
    expect((await revoke(stolen, before.refresh_token)).status).toBe(401);
    expect(await introspect(server, before.refresh_token, own)).toMatchObject({ active: true });
    expect((await exchange(server, code, {}, stolen)).status).toBe(401);
    expect((await refresh(server, before.refresh_token, {}, stolen)).status).toBe(401);
    const push = { client_id: own.clientId, client_secret: stolen.clientSecret };
    expect((await server.form('/oidc/request', push)).status).toBe(401);
    expect((await exchange(server, code, {}, own)).status).toBe(200);
    expect((await refresh(server, before.refresh_token, {}, own)).status).toBe(200);
  });

  test('client tokens stay valid when their client secret is rotated instead of revoked', async () => {
    const { wire, client } = await ofDemo();
    const { add } = await rotated(wire);
    const token = await buy(client);
    for (let added = 0; added < 2; added += 1) await add();
    expect((await askToken(server, { grant_type: 'client_credentials' }, client)).status).toBe(401);
    expect(await reach(token)).toEqual(reaches);
  });
});

describe('use of a token after its client was deleted', () => {
  test('a token of a deleted client is rejected immediately', async () => {
    const { wire, client } = await ofDemo();
    const token = await buy(client);
    expect(await reach(token)).toEqual(reaches);
    const path = `/v1/applications/${wire.app_id}/clients/${wire.client_id}`;
    expect((await server.delete(path, { token: await server.adminToken() })).status).toBe(204);
    expect(await reach(token)).toEqual(refused);
  });
});

describe("lifetime of a management client's token", () => {
  test('a token of a management client expires within one hour, even if the resource allows a longer lifetime', async () => {
    const longer = await server.post(
      '/v1/management-clients',
      { name: 'Provisioning', access_token_ttl: 3601 },
      { token: await server.adminToken() },
    );
    expect(longer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('access_token_ttl') },
    });

    const { client_id: clientId, client_secret: clientSecret } = await madeManager(server, {
      access_token_ttl: 600,
    });
    const lifetime = async (fields: Readonly<Record<string, string>> = {}) => {
      const asked = { grant_type: 'client_credentials', ...fields };
      const { exp = 0, iat = 0 } = decodeClaims(
        (await askToken(server, asked, { clientId, clientSecret })).body.access_token,
      );
      return exp - iat;
    };
    expect(await lifetime()).toBe(600);
    const fields = resourceFields({ access_token_ttl: 86_400 });
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', fields);
    expect(await lifetime({ resource: uri })).toBe(3600);
  });
});
