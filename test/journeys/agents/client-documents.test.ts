import { describe, expect, test } from '@jest/globals';
import { answerIn } from '../../support/fixtures/hosted-login.ts';
import { made, madeApplication, resourceFields } from '../../support/fixtures/managed.ts';
import { storeResource } from '../../support/fixtures/tenants.ts';
import { CALLBACK, useAgents } from '../../support/providers/agents.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { expectOAuthError, introspect } from '../../support/tools/authorized.ts';

const agents = useAgents();
const { server, login } = agents;

const toPath = (clientId: string) => new URL(clientId).pathname;
const fetches = (clientId: string) => agents.documents.counts.get(toPath(clientId)) ?? 0;
const hosts = async (client_document_hosts: readonly string[] | null, appId = server.environment.app_id) => {
  const token = await server.adminToken();
  const answer = await server.put(`/v1/applications/${appId}`, { client_document_hosts }, { token });
  expect(answer).toMatchObject({ status: 200 });
  // Functions cache an application's settings for a minute.
  await server.advanceClock(61);
};

/** Returns the message with which an authorization request is rejected. Checks that the browser is not redirected. */
async function refusal(clientId: string, change: Readonly<Record<string, string | undefined>> = {}) {
  const parameters = { client_id: clientId, redirect_uri: CALLBACK, resource: agents.notes, ...change };
  const page = await agents.ask(login.browser(), clientId, parameters);
  expect({ status: page.status, left: page.left }).toEqual({ status: 400, left: undefined });
  const headers = { accept: 'application/json' };
  const { body } = await server.request<{ message: string }>(login.address(parameters), { headers });
  return body.message;
}

describe('client identified by the URL of its metadata document', () => {
  test('a client ID metadata document is fetched only once and then cached', async () => {
    const clientId = agents.documents.publish();
    for (let tries = 0; tries < 3; tries += 1) {
      const page = await agents.ask(login.browser(), clientId);
      expect(page.html).toContain('name="identifier"');
    }
    expect(fetches(clientId)).toBe(1);
    await server.advanceClock(301);
    await agents.ask(login.browser(), clientId);
    expect(fetches(clientId)).toBe(2);
  });

  test('a client ID metadata document is rejected unless the application allows its host', async () => {
    const clientId = agents.documents.publish();
    for (const list of [['agent.example.com'], [], null]) {
      await hosts(list);
      expect(await refusal(clientId)).toMatch(/^client_id: is unknown/);
    }
    expect(fetches(clientId)).toBe(0);
    await hosts(['*']);
    expect((await agents.ask(login.browser(), clientId)).status).toBe(200);
    await hosts(['localhost']);
  });

  test('the requested resource determines the application of a client with a metadata document', async () => {
    const token = await server.adminToken();
    const { uri, resource_id } = await made<{ uri: string; resource_id: string }>(
      server,
      '/v1/resources',
      resourceFields(),
      token,
    );
    await madeApplication(server, { resources: [resource_id] });
    const appId = await madeApplication(server, {
      resources: [resource_id],
      login_preferences: { email: {} },
    });
    await hosts(['localhost'], appId);
    const clientId = agents.documents.publish();
    const page = await agents.ask(login.browser(), clientId, { resource: uri, scope: undefined });
    expect(page.status).toBe(200);
    expect(page.html).toContain('name="identifier"');
  });

  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['without a resource', { resource: undefined, scope: undefined }],
    ['for a resource that does not exist', { resource: 'https://unknown.example.com/' }],
  ])('a client with a metadata document cannot send an authorization request %s', async (_, change) => {
    const clientId = agents.documents.publish();
    expect(await refusal(clientId, change)).toMatch(/^resource: /);
    expect(fetches(clientId)).toBe(0);
  });

  test('if an application has several resources, a client with a metadata document must name a resource', async () => {
    await storeResource(server, {});
    await server.advanceClock(61);
    const change = { resource: undefined, scope: undefined, app_id: server.environment.app_id };
    const { left } = await agents.ask(login.browser(), agents.documents.publish(), change);
    expect(left && answerIn(left)).toMatchObject({ error: 'invalid_target' });
  });

  test.each<[string, string, number]>([
    ['with a fragment', 'https://agent.example.com/#x', 0],
    ['with the scheme http', 'http://agent.example.com/callback', 0],
    ['that the document does not name', 'https://agent.example.com/other', 1],
    ['that only another metadata document names', 'https://other.example.com/callback', 1],
  ])('a client with a metadata document cannot use a redirect URI %s', async (_, redirect_uri, count) => {
    const clientId = agents.documents.publish();
    agents.documents.publish({ redirect_uris: ['https://other.example.com/callback'] });
    expect(await refusal(clientId, { redirect_uri })).toMatch(/^redirect_uri/);
    expect(fetches(clientId)).toBe(count);
  });

  test('a client with a metadata document must use PKCE', async () => {
    const change = { code_challenge: undefined, code_challenge_method: undefined };
    const { left } = await agents.ask(login.browser(), agents.documents.publish(), change);
    expect(left && answerIn(left)).toMatchObject({ error: 'invalid_request' });
  });

  test('a client with a metadata document can neither push authorization requests nor obtain client tokens', async () => {
    const client_id = agents.documents.publish();
    const fields = login.parameters({ client_id, redirect_uri: CALLBACK, resource: agents.notes });
    for (const path of ['/oidc/request', '/oidc/par']) {
      const { status } = await server.form(path, fields);
      expect([path, status]).toEqual([path, 401]);
    }
    expect((await server.form('/oidc/auth', fields)).status).toBe(400);
    const own = await agents.token(client_id, { grant_type: 'client_credentials' });
    expectOAuthError(own, 400, 'unauthorized_client');
    expect(fetches(client_id)).toBe(0);
  });

  test('a client with a metadata document cannot refresh tokens with a secret or with another client ID', async () => {
    const clientId = agents.documents.publish();
    const { tokens } = await agents.connected(clientId);
    const secret = await agents.refresh(clientId, tokens.refresh_token, { client_secret: 'any' });
    expectOAuthError(secret, 401, 'invalid_client');
    const other = await agents.refresh(agents.documents.publish(), tokens.refresh_token);
    expectOAuthError(other, 400, 'invalid_grant');
    expectOAuthError(await agents.refresh(clientId, 'nothing'), 400, 'invalid_grant');
    expect((await agents.refresh(clientId, tokens.refresh_token)).status).toBe(200);
  });

  test('after a lost response, a client with a metadata document can repeat a token refresh a minute later', async () => {
    const clientId = agents.documents.publish();
    const { tokens } = await agents.connected(clientId);
    const first = await agents.refresh(clientId, tokens.refresh_token);
    await server.advanceClock(60);
    const again = await agents.refresh(clientId, tokens.refresh_token);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect((await agents.refresh(clientId, first.body.refresh_token)).status).toBe(200);
    expectOAuthError(await agents.refresh(clientId, tokens.refresh_token), 400, 'invalid_grant');
  });

  test('a client with a metadata document can revoke only its own tokens', async () => {
    const clientId = agents.documents.publish();
    const { tokens } = await agents.connected(clientId);
    const revoke = (client_id: string, token: string) =>
      server.form('/oidc/token/revocation', { client_id, token });
    expect(await revoke(agents.documents.publish(), tokens.refresh_token)).toMatchObject({ status: 200 });
    const { body } = await agents.refresh(clientId, tokens.refresh_token);
    expect(body.access_token).toBeTruthy();
    await revoke(agents.documents.publish(), body.access_token);
    expect(await introspect(server, body.access_token)).toMatchObject({ active: true });
    await revoke(clientId, body.access_token);
    expect(await introspect(server, body.access_token)).toEqual({ active: false });
    const lines = await logLines(async () => {
      expect(await revoke(clientId, body.refresh_token)).toMatchObject({ status: 200 });
    });
    expect(lines).toContainEqual(expect.objectContaining({ client_id: clientId, result: 'ok' }));
    expectOAuthError(await agents.refresh(clientId, body.refresh_token), 400, 'invalid_grant');
  });

  test('a client with a metadata document cannot refresh tokens once the application no longer allows its host', async () => {
    const clientId = agents.documents.publish();
    const { tokens } = await agents.connected(clientId);
    await hosts([]);
    expectOAuthError(await agents.refresh(clientId, tokens.refresh_token), 401, 'invalid_client');
    await hosts(['localhost']);
    expect((await agents.refresh(clientId, tokens.refresh_token)).status).toBe(200);
  });
});

describe('fetching a client ID metadata document', () => {
  type Answer = Parameters<typeof agents.documents.publish>[0];
  const json = { 'content-type': 'application/json' };
  const big = { client_id: 'x', client_name: 'x'.repeat(6000) };

  test.each<[string, Answer, RegExp]>([
    [
      'whose URL redirects',
      (_, response) => response.writeHead(302, { location: agents.documents.publish() }).end(),
      /status 302/,
    ],
    ['that does not exist', (_, response) => response.writeHead(404, json).end('{}'), /status 404/],
    ['of 6 KB', big, /more than 5120 bytes/],
    [
      'of 6 KB without a Content-Length',
      (_, response) => {
        response.writeHead(200, { ...json, 'transfer-encoding': 'chunked' });
        response.end(JSON.stringify(big));
      },
      /more than 5120 bytes/,
    ],
    [
      'that names another client_id',
      { client_id: 'https://agent.example.com/client.json' },
      /another client_id/,
    ],
    [
      'that is an HTML page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      /type/,
    ],
    ['that is not JSON', (_, response) => response.writeHead(200, json).end('{'), /not a JSON object/],
    ['whose transfer is interrupted', (_, response) => response.destroy(), /could not be fetched/],
  ])(
    'the rejection of a client ID metadata document %s is cached for a minute',
    async (_, answer, reason) => {
      const clientId = agents.documents.publish(answer);
      expect(await refusal(clientId)).toMatch(reason);
      expect(fetches(clientId)).toBe(1);
      await server.advanceClock(61);
      await refusal(clientId);
      expect(fetches(clientId)).toBe(2);
    },
  );

  test('fetching a client ID metadata document times out after three seconds', async () => {
    const clientId = agents.documents.publish(() => {});
    expect(await refusal(clientId)).toMatch(/could not be fetched/);
  });

  test('a redirect URI removed from a client ID metadata document is no longer accepted', async () => {
    const clientId = agents.documents.publish();
    const { jar } = await agents.connected(clientId);
    agents.documents.publish({ redirect_uris: ['https://agent.example.com/new'] }, toPath(clientId));
    await server.advanceClock(301);
    expect((await agents.ask(jar, clientId)).status).toBe(400);
    const page = await agents.ask(jar, clientId, { redirect_uri: 'https://agent.example.com/new' });
    expect(page.html).toContain('asks for access');
  });
});
