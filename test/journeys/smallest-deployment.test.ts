import { describe, expect, test } from '@jest/globals';
import { areas, chooseAreas, selectOperations } from '../../functions/areas.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';
import { configuredProviders } from '../../shared/domain/credentials/login-preferences.ts';
import { limitToDeployment } from '../../shared/dynamo/directory/deployed-settings.ts';
import { listNamedMethods, listPaths } from '../../shared/http/path.ts';
import { createProvenUser, createUser, findUser, newEmail } from '../support/fixtures/people.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import { someApplication } from '../support/server/records.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { useBackend } from '../support/tools/backend.ts';

const core = chooseAreas(['one-time']);
const server = useTestServer({ areas: core, events: true });
const { post, put, sendOtp, authenticateOtp } = useBackend(server);

const deployed = new Set(Object.keys(selectOperations(operations, core)));
const corePaths = new Set(Object.values(selectOperations(operations, core)).flatMap(listPaths));

/** Method and path of each operation outside the core areas, except paths that a core operation uses as well. */
const undeployed = Object.entries(operations)
  .filter(([name]) => !deployed.has(name))
  .flatMap(([, row]) =>
    listPaths(row).flatMap((path) => listNamedMethods(row).map((verb) => [verb, path] as const)),
  )
  .filter(([, path]) => !corePaths.has(path));

describe('deployment with only the core areas', () => {
  test('a deployment without social login offers no providers but keeps the stored provider settings', () => {
    const google = { clientId: 'shop' };
    const acme = { ...google, name: 'acme', label: 'Acme', issuer: 'https://id.example.com' };
    const application = someApplication({
      loginPreferences: { email: {}, google },
      openidProviders: [acme],
    });
    const deployment = { areas: core, testIdentities: false };
    expect(configuredProviders(limitToDeployment(application, deployment))).toEqual([]);
    const all = chooseAreas(['social']);
    expect(configuredProviders(limitToDeployment(application, { ...deployment, areas: all }))).toEqual([
      ...(['google', 'openid/acme'] as const),
    ]);
  });

  test('a deployment with only the core areas has 70 operations and no console', () => {
    expect(deployed.size).toBe(70);
    expect(selectOperations(consoleOperations, core)).toEqual({});
    expect(core).toEqual(Object.keys(areas).filter((name) => areas[name as keyof typeof areas].core));
  });

  test('a deployment with only the core areas returns 404 for each operation of another area', async () => {
    const token = await server.adminToken();
    expect(undeployed.length).toBeGreaterThan(80);
    for (const [method, template] of undeployed) {
      const path = template.replace(/\{\w+\+?\}/g, 'some-id');
      const { status } = await server.request(path, { method, token });
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
    }
  });

  test('with only the core areas, a user can log in with a passcode and a magic link, refresh tokens and log out', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email });
    const { body: sent } = await sendOtp({ identifier: email, channel: 'email' });
    expect(sent.message).toBe('OTP sent');
    const { body: byCode } = await authenticateOtp({
      identifier: email,
      passcode: await server.codeTo(email),
    });
    expect(byCode.session_id).toContain(userId);

    const [redirect_uri = ''] = server.environment.redirect_uris;
    await post('/v1/auth/link/email/send', { redirect_uri, identifier_type: 'email', identifier: email });
    const opened = await fetch(await server.linkTo(email), { redirect: 'manual' });
    const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
    const { status, body: byLink } = await post<TokenResponse>('/v1/auth/link/email/authenticate', { code });
    expect(status).toBe(200);
    const refresh = { refresh_token: byLink.refresh_token };
    expect((await post('/v1/auth/token/refresh', refresh)).status).toBe(200);
    expect((await post('/v1/auth/session/logout', { session_id: byLink.session_id })).status).toBe(204);
    expect((await findUser(server, userId)).status).toBe('Active');
  });

  test('a deployment with only the core areas sends notices without links to missing pages', async () => {
    const email = newEmail();
    const { user_id: userId } = await createProvenUser(server, { email });
    await put(`/v1/users/${userId}`, { email: newEmail() });
    await server.settleEvents();
    const [notice] = await server.messages({ to: email });
    expect(notice?.subject).toMatch(/email/i);
    expect(notice?.links).toEqual([]);
  });

  test('with only the core areas, the OpenAPI and discovery documents list only operations of the core areas', async () => {
    const { body: document } = await server.get<{ paths: object }>('/openapi.json');
    expect(Object.keys(document.paths)).not.toContain('/v1/webhooks');
    expect(Object.keys(document.paths)).toContain('/v1/auth/otp/send');
    const { body: metadata } = await server.get<Record<string, unknown>>(
      '/oidc/.well-known/openid-configuration',
    );
    expect(metadata).not.toHaveProperty('authorization_endpoint');
    expect(metadata).toMatchObject({
      response_types_supported: [],
      grant_types_supported: ['refresh_token', 'client_credentials'],
    });
    const { client_id, client_secret } = server.environment;
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const exchange = await server.form('/oidc/token', { client_id, client_secret, grant_type });
    expect(exchange).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });
});

test('a deployment that chooses an area also contains the areas that it requires', () => {
  expect(chooseAreas(['console'])).toEqual(
    expect.arrayContaining(['one-time', 'console', 'operators', 'account', 'hosted-login']),
  );
  expect(chooseAreas(['webhooks'])).not.toContain('hosted-login');
  expect(() => chooseAreas(['web-hooks'])).toThrow('There is no area web-hooks. Areas: one-time, ');
});
