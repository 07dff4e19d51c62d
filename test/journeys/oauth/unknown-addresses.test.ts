// Error messages for developers whose redirect URI, client or origin is not registered.
import { expect, test } from '@jest/globals';
import { useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import { logLines } from '../../support/server/log-lines.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off', errorUris: true });

const ask = (change: Record<string, string>, accept = 'application/json') =>
  server.get<string & Record<string, string>>(login.address(change), { headers: { accept } });

test('the JSON error for an unregistered redirect URI contains the redirect URI', async () => {
  const { status, body } = await ask({ redirect_uri: 'http://localhost:9999/new?a=1' });
  expect(status).toBe(400);
  expect(body.error_description).toContain(': http://localhost:9999/new?a=1 (a change takes up to a minute');
  expect(body.hint).toBe('npm run otl -- application add-redirect-uri <app_id> --uri <uri>');
});

test('the error for an unregistered redirect URI contains its first 200 characters, escaped', async () => {
  const { body } = await ask({ redirect_uri: `http://x.test/"\\<b>\n\u202eé${'y'.repeat(500)}` });
  const [, shown = ''] = /application: (.*) \(a change/.exec(String(body.error_description)) ?? [];
  expect(shown).toMatch(/^http:\/\/x\.test\/%22%5C%3Cb%3E%0A%E2%80%AE%C3%A9y+$/);
  expect(shown).toHaveLength(200);
});

test('the error for an unknown client contains the client ID of the request', async () => {
  const { body } = await ask({ client_id: 'unknown-client' });
  expect(body.error_description).toContain('client_id: is unknown: unknown-client (a change');
});

test('the error for an unknown client is the same as for a wrong client secret', async () => {
  const form = (client_id: string) => ({
    client_id,
    client_secret: 'wrong',
    grant_type: 'client_credentials',
  });
  for (const clientId of ['unknown-client', server.environment.client_id]) {
    const { status, body } = await server.form<Record<string, string>>('/oidc/token', form(clientId));
    expect(status).toBe(401);
    expect(body).toMatchObject({
      error: 'invalid_client',
      error_description: `Client authentication failed: ${clientId} (a change takes up to a minute to be seen)`,
      hint: 'npm run otl -- client create --app <app_id> --name <name>',
    });
  }
});

test('the error for an unregistered origin contains the command that adds the origin to the application', async () => {
  const origin = 'https://shop.example.com:8443';
  const start = (path: string) =>
    server.post<Record<string, string>>(
      `/v1/auth/webauthn/${path}/start`,
      { client_id: server.environment.client_id, username: 'ann' },
      { headers: { origin } },
    );
  const refused = await start('register');
  expect(refused.status).toBe(401);
  const told = `The origin of the page is not an origin of the application: ${origin}`;
  expect(refused.body.message).toBe(`${told} (a change takes up to a minute to be seen)`);
  expect(refused.body.hint).toBe('npm run otl -- application update <app_id> --origin <origin>');
  const unreadable = await start('authenticate');
  expect(unreadable.headers.get('local-hint')).toMatch(`${told}: npm run otl`);
});

test('the local server warns about scopes that were not granted', async () => {
  const hint = async (change: Record<string, string>) =>
    (await server.get(login.address(change))).headers.get('local-hint');
  expect(await hint({ scope: 'openid emial' })).toMatch(/^scope: emial is dropped; known are openid, /);
  expect(await hint({ scope: 'openid email offline_access' })).toBeNull();
  const resource = resourceFields({ scopes: [{ name: 'notes:read' }] });
  await made(server, '/v1/resources', resource, await server.clientToken());
  expect(await hint({ scope: 'openid notes:read' })).toBeNull();
  const { clientRecords } = await server.ports(['clientRecords']);
  const client = await clientRecords.find(server.environment.client_id);
  if (!client) throw new Error('no client');
  const changed = { ...client, offlineAccessNeedsConsent: true };
  await clientRecords.replace(client, changed);
  try {
    expect(await hint({ scope: 'openid offline_access' })).toMatch(
      /^scope: offline_access is dropped without prompt=consent: npm run otl -- client update demo-client /,
    );
    expect(await hint({ scope: 'openid offline_access', prompt: 'consent' })).toBeNull();
  } finally {
    await clientRecords.replace(changed, client);
  }
});

test.each([
  '/.well-known/openid-configuration',
  '/oidc/v1/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/oidc',
])('the 404 error at %s names the correct path of the discovery document', async (path) => {
  const { status, body } = await server.get<{ message: string }>(path);
  expect(status).toBe(404);
  expect(body.message).toBe(
    `Not found: discovery is at ${server.environment.issuer}/.well-known/openid-configuration`,
  );
});

test('an unregistered redirect URI is logged without its query', async () => {
  const lines = await logLines(async () => {
    await ask({ redirect_uri: 'http://localhost:9999/new?token=secret' });
  });
  expect(lines).toContainEqual(expect.objectContaining({ asked: 'http://localhost:9999/new' }));
  expect(JSON.stringify(lines)).not.toContain('token=secret');
  // An unknown client_id is not logged, because a developer could have sent a secret in this field by mistake.
  const others = await logLines(async () => {
    await ask({ client_id: 'id:secret' });
  });
  expect(JSON.stringify(others)).not.toContain('id:secret');
});

test('the error page for an unknown client or redirect URI contains neither the client ID nor the redirect URI', async () => {
  for (const change of [{ redirect_uri: 'http://localhost:9999/new' }, { client_id: 'unknown-client' }]) {
    const { body } = await ask(change, 'text/html');
    expect(body).not.toMatch(/9999|unknown-client|up to a minute/);
  }
});
