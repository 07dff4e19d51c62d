import { describe, expect, test } from '@jest/globals';
import { CONSENT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { answerIn, decodeClaims } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { newPerson, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createProvenUser, newPhoneNumber } from '../../support/fixtures/people.ts';
import { ALLOW, CALLBACK, DENY, useAgents } from '../../support/providers/agents.ts';
import { introspect } from '../../support/tools/authorized.ts';

const agents = useAgents();
const { server } = agents;

const boxes = (html: string) =>
  [...html.matchAll(/type="checkbox" name="(\w+)" value="([^"]+)"( checked)?/g)].map(
    ([, name, value, on]) => `${name}=${value}${on ? ' on' : ''}`,
  );

describe('consent page for a client with a metadata document', () => {
  test("the consent page names the client's host, the redirect target, the user and each requested scope", async () => {
    const clientId = agents.documents.publish();
    const { page, email } = await agents.asked(clientId, {
      scope: 'openid email notes:read notes:burn unknown',
    });
    const { html } = page;
    expect(html).toContain(new URL(clientId).host);
    expect(html).toContain('agent.example.com');
    expect(html).not.toContain('Your bank');
    expect(html).toContain(`${email[0]}•••@`);
    expect(html).not.toContain(email);
    expect(boxes(html)).toEqual([
      'scope=openid on',
      'scope=email on',
      'scope=notes:read on',
      'scope=notes:burn',
      'stay=yes on',
    ]);
    expect(html).toContain('Read your notes');
  });

  test("the consent page is shown in the browser's language", async () => {
    const { page } = await agents.asked(agents.documents.publish(), { ui_locales: 'de' });
    expect(page.html).toContain('bittet um Zugriff');
    expect(page.html).toContain('Ihre Notizen lesen');
    expect(page.html).toContain('Change your notes');
  });

  test('after the consent page, the client gets only the scopes that the user has allowed', async () => {
    const clientId = agents.documents.publish();
    const { page, userId } = await agents.asked(clientId, { scope: 'openid email notes:read notes:write' });
    const { left } = await page.submit({ scope: 'notes:write email' }, ALLOW);
    expect(left?.href.startsWith(`${CALLBACK}?code=`)).toBe(true);
    const { status, body } = await agents.exchange(clientId, left);
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'email notes:write' });
    expect(body).not.toHaveProperty('id_token');
    expect(body).not.toHaveProperty('refresh_token');
    expect(decodeClaims(body.access_token)).toMatchObject({
      aud: agents.notes,
      scope: 'email notes:write',
      client_id: clientId,
      sub: userId,
    });
  });

  test('a client gets a refresh token if the user allows it to stay connected', async () => {
    const clientId = agents.documents.publish();
    const { tokens } = await agents.connected(clientId);
    const { status, body } = await agents.refresh(clientId, tokens.refresh_token);
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'notes:read notes:write' });
    expect(decodeClaims(body.access_token)).toMatchObject({ aud: agents.notes });
  });

  test('the consent page has no "stay connected" option for a client without the grant type refresh_token', async () => {
    const { page } = await agents.asked(agents.documents.publish({ grant_types: undefined }));
    expect(boxes(page.html)).toEqual(['scope=notes:read on', 'scope=notes:write on']);
  });

  test('if a user denies consent to a client, the client gets the error access_denied', async () => {
    const { page } = await agents.asked(agents.documents.publish());
    const { left } = await page.submit({}, DENY);
    expect(left && answerIn(left)).toMatchObject({ error: 'access_denied' });
  });

  test('the consent page is skipped if the user has already allowed all requested scopes', async () => {
    const clientId = agents.documents.publish();
    const { jar } = await agents.connected(clientId);
    const again = await agents.ask(jar, clientId);
    expect(again.left?.searchParams.get('code')).toBeTruthy();
    const { body } = await agents.exchange(clientId, again.left);
    expect(body).toMatchObject({ scope: 'notes:read notes:write', refresh_token: expect.any(String) });

    const more = await agents.ask(jar, clientId, { scope: 'openid notes:read' });
    expect(boxes(more.html)).toEqual(['scope=openid on', 'stay=yes on']);
    const { left } = await more.submit({ scope: 'openid', stay: 'yes' }, ALLOW);
    expect((await agents.exchange(clientId, left)).body.scope).toBe('openid notes:read');
    const all = await agents.ask(jar, clientId, { scope: 'openid notes:read notes:write' });
    expect(all.left?.searchParams.get('code')).toBeTruthy();
  });

  test('a user who has consented sees no consent page in another browser, and the consent is not extended', async () => {
    const clientId = agents.documents.publish();
    const { email, userId } = await agents.connected(clientId);
    const { consents } = await server.ports(['consents']);
    const readConsent = async () => (await consents.listOf(userId, Math.floor(Date.now() / 1000)))[0];
    const before = await readConsent();
    const { left } = await agents.logInAt(agents.login.browser(), clientId, email);
    expect(left?.searchParams.get('code')).toBeTruthy();
    expect(await readConsent()).toMatchObject({ revision: before?.revision, expiresAt: before?.expiresAt });
  });

  test('if the user is erased while the consent page is open, no consent is stored', async () => {
    const { page, userId } = await agents.asked(agents.documents.publish());
    const { status } = await server.delete(`/v1/users/${userId}`, { token: await server.clientToken() });
    expect(status).toBe(204);
    const refused = await page.submit({ scope: 'notes:read', stay: 'yes' }, ALLOW);
    const { left } = await refused.submit({}, '/continue');
    expect(left && answerIn(left)).toMatchObject({ error: 'access_denied' });
    const { consents } = await server.ports(['consents']);
    expect(await consents.listOf(userId, Math.floor(Date.now() / 1000))).toEqual([]);
  });

  test("a user's consent to a client expires after 90 days", async () => {
    const other = 'https://agent.example.com/other';
    const clientId = agents.documents.publish({ redirect_uris: [CALLBACK, other] });
    const { jar, userId } = await agents.connected(clientId);
    expect((await agents.ask(jar, clientId, { redirect_uri: other })).html).toContain(`action="`);
    const { consents } = await server.ports(['consents']);
    const now = Math.floor(Date.now() / 1000);
    const [consent] = await consents.listOf(userId, now);
    expect(consent).toMatchObject({ expiresAt: (consent?.grantedAt ?? 0) + CONSENT_SECONDS, clientId });
    expect(await consents.listOf(userId, (consent?.expiresAt ?? 0) + 1)).toEqual([]);
  });

  test('if an allowed scope requires a second factor, the user must use one after the consent page', async () => {
    const clientId = agents.documents.publish();
    const { page, phone } = await agents.asked(clientId, { scope: 'notes:read notes:burn' });
    const second = await page.submit({ scope: 'notes:read notes:burn' }, ALLOW);
    const code = await second.submit({ method: 'sms' });
    const { left } = await code.submit({ passcode: await server.codeTo(phone) });
    const { body } = await agents.exchange(clientId, left);
    expect(body.scope).toBe('notes:read notes:burn');
    expect(decodeClaims(body.access_token)).toMatchObject({ acr: 'mfa' });
  });

  test('a passkey can be the second factor that a scope requires', async () => {
    const clientId = agents.documents.publish();
    const person = await newPerson(server, createProvenUser);
    const passkey = await registerPasskey(server, person);
    const jar = agents.login.browser();
    const page = await agents.logInAt(jar, clientId, person.email, { scope: 'notes:burn' });
    const second = await page.submit({ scope: 'notes:burn', stay: 'yes' }, ALLOW);
    const { left } = await createAccountActions(server, agents.login).byPasskey(jar, second, passkey);
    const { body } = await agents.exchange(clientId, left);
    expect(decodeClaims(body.access_token)).toMatchObject({ scope: 'notes:burn', acr: 'mfa' });
    expect(
      (await agents.ask(jar, clientId, { scope: 'notes:burn' })).left?.searchParams.get('code'),
    ).toBeTruthy();
  });

  test('a user must consent to a client with a loopback redirect URI at each login', async () => {
    const redirect_uri = 'http://127.0.0.1:49152/callback';
    const clientId = agents.documents.publish({ redirect_uris: ['http://127.0.0.1/callback'] });
    const { jar, userId } = await agents.connected(clientId, { redirect_uri });
    const again = await agents.ask(jar, clientId, { redirect_uri: 'http://127.0.0.1:50000/callback' });
    expect(again.html).toContain('an app on this device');
    expect(boxes(again.html)).toEqual(['scope=notes:read on', 'scope=notes:write on', 'stay=yes on']);
    const { left } = await again.submit({ scope: 'notes:read' }, ALLOW);
    expect(left?.host).toBe('127.0.0.1:50000');
    // The second consent replaces the first, because apps use another port at each login.
    const { consents } = await server.ports(['consents']);
    expect(await consents.listOf(userId, Math.floor(Date.now() / 1000))).toHaveLength(1);
    const none = await agents.ask(jar, clientId, { redirect_uri, prompt: 'none' });
    expect(none.left && answerIn(none.left)).toMatchObject({ error: 'consent_required' });
  });

  test('prompt=none returns consent_required if the user has not granted a requested scope', async () => {
    const clientId = agents.documents.publish();
    const { jar } = await agents.connected(clientId);
    const silent = await agents.ask(jar, clientId, { prompt: 'none' });
    expect(silent.left?.searchParams.get('code')).toBeTruthy();
    const more = await agents.ask(jar, clientId, { prompt: 'none', scope: 'openid' });
    expect(more.left && answerIn(more.left)).toMatchObject({ error: 'consent_required' });
    const asked = await agents.ask(jar, clientId, { prompt: 'consent' });
    expect(boxes(asked.html)).toHaveLength(3);
    const stranger = await agents.ask(agents.login.browser(), clientId, { prompt: 'none' });
    expect(stranger.left && answerIn(stranger.left)).toMatchObject({ error: 'login_required' });
  });

  test('a new user of a client with a metadata document sees the consent page after the sign-up', async () => {
    const clientId = agents.documents.publish();
    const jar = agents.login.browser();
    const email = `${crypto.randomUUID()}@example.com`;
    const start = await agents.ask(jar, clientId, { createNewUser: 'true' });
    const code = await start.submit({ identifier: email, method: 'email' });
    const page = await code.submit({ passcode: await server.codeTo(email) });
    expect(page.html).toContain(`${email[0]}•••@`);
    const { left } = await page.submit({ scope: 'notes:read', stay: 'yes' }, ALLOW);
    const { status, body } = await agents.exchange(clientId, left);
    expect(status).toBe(200);
    expect((await agents.refresh(clientId, body.refresh_token)).status).toBe(200);
  });
});

test('a new user who allows a scope that requires a second factor must add a factor during the sign-up', async () => {
  const clientId = agents.documents.publish();
  const jar = agents.login.browser();
  const email = `${crypto.randomUUID()}@example.com`;
  const start = await agents.ask(jar, clientId, { createNewUser: 'true', scope: 'notes:burn' });
  const code = await start.submit({ identifier: email, method: 'email' });
  const page = await code.submit({ passcode: await server.codeTo(email) });
  const passkey = await page.submit({ scope: 'notes:burn' }, ALLOW);
  const number = await passkey.submit({}, '/later');
  const phone = newPhoneNumber();
  const texted = await number.submit({ phone_number: phone });
  const { left } = await texted.submit({ passcode: await server.codeTo(phone) });
  const { body } = await agents.exchange(clientId, left);
  expect(decodeClaims(body.access_token)).toMatchObject({ scope: 'notes:burn', acr: 'mfa' });
});

describe('scopes that a consent page offers', () => {
  test.each([
    ['without a scope', { scope: undefined }, ['scope=notes:read on', 'stay=yes on'], 'notes:read'],
    [
      'with openid offline_access',
      { scope: 'openid offline_access notes:read', prompt: 'consent' },
      ['scope=openid on', 'scope=notes:read on', 'stay=yes on'],
      'openid offline_access notes:read',
    ],
  ])(
    'the consent page for a request %s lists only the scopes that the client can get',
    async (_, change, shown, scope) => {
      const clientId = agents.documents.publish();
      const { page } = await agents.asked(clientId, change);
      expect(boxes(page.html)).toEqual(shown);
      const { left } = await page.submit({ scope: 'openid notes:read', stay: 'yes' }, ALLOW);
      const { body } = await agents.exchange(clientId, left, { resource: agents.notes });
      expect(body.scope).toBe(scope);
      expect(body.refresh_token).toBeTruthy();
      expect('id_token' in body).toBe(scope.startsWith('openid'));
    },
  );

  test('a client with a metadata document can select its application by app_id instead of by resource', async () => {
    const clientId = agents.documents.publish();
    const change = { app_id: server.environment.app_id, resource: undefined, scope: undefined };
    const { page } = await agents.asked(clientId, change);
    const { left } = await page.submit({ scope: 'notes:read' }, ALLOW);
    const { body } = await agents.exchange(clientId, left);
    expect(decodeClaims(body.access_token)).toMatchObject({ aud: agents.notes });
  });
});

describe('claims that UserInfo returns after consent', () => {
  test('UserInfo returns exactly the claims that the consent page showed', async () => {
    const clientId = agents.documents.publish();
    const claims = JSON.stringify({ userinfo: { phone_number: null }, access_token: { phone_number: null } });
    const { tokens, email, userId } = await agents.connected(clientId, {
      scope: 'openid email notes:read',
      claims,
    });
    expect(decodeClaims(tokens.access_token)).not.toHaveProperty('phone_number');
    const { body } = await server.get('/oidc/me', { token: tokens.access_token });
    expect(body).toEqual({ sub: userId, email, email_verified: true });
  });
});

describe('revoking consent on the account page', () => {
  test('revoking consent on the account page revokes all tokens of the client immediately', async () => {
    const clientId = agents.documents.publish();
    const { jar, tokens } = await agents.connected(clientId, { scope: 'openid notes:read' });
    expect(await introspect(server, tokens.access_token)).toMatchObject({ active: true });
    // If the URL names no client, the account page uses the newest login, which is the login to the agent.
    const page = await jar.open('/account');
    expect(page.html).toContain('Connected apps');
    expect(page.html).toContain('localhost → agent.example.com');
    expect(page.html).toContain('Last used');
    const ended = await page.submit({}, '/consents/end');
    expect(ended.html).toContain('App disconnected');
    expect(ended.html).not.toContain('Connected apps');
    expect((await agents.refresh(clientId, tokens.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await introspect(server, tokens.access_token)).toEqual({ active: false });
    expect((await server.get('/oidc/me', { token: tokens.access_token })).status).toBe(401);
    expect((await agents.ask(jar, clientId)).html).toContain('asks for access');
  });

  test('revoking consent also revokes unused authorization codes', async () => {
    const clientId = agents.documents.publish();
    const { jar, tokens } = await agents.connected(clientId);
    const { left } = await agents.ask(jar, clientId);
    await (await jar.open('/account')).submit({}, '/consents/end');
    expect((await agents.exchange(clientId, left)).body).toMatchObject({ error: 'invalid_grant' });
    const again = await agents.ask(jar, clientId);
    await again.submit({ scope: 'notes:read', stay: 'yes' }, ALLOW);
    expect((await agents.refresh(clientId, tokens.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
  });
});
