// Attacks by agents (OAuth clients that publish a client ID document) that have a user's consent, and by clients that
// impersonate such an agent.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { acceptsToken } from '../../shared/http/effective-ports.ts';
import { answerIn, readForm } from '../support/fixtures/hosted-login.ts';
import { made, resourceFields } from '../support/fixtures/managed.ts';
import { storeTenant } from '../support/fixtures/tenants.ts';
import { ALLOW, CALLBACK, useAgents } from '../support/providers/agents.ts';
import { atOnce } from '../support/server/at-once.ts';
import { expectOAuthError } from '../support/tools/authorized.ts';
import { createCall, EXTENDED, expectError, rows, send, withHeaders } from '../support/tools/calls.ts';
import { sample } from '../support/tools/full-run.ts';

const agents = useAgents({ ...EXTENDED, rateLimits: 'off' });
const { server } = agents;

const actionIn = (html: string) => /action="([^"]+\/allow)"/.exec(html)?.[1] ?? '';

describe('consent of a user to an agent', () => {
  const allow = (fields: Readonly<Record<string, string>>) => ({
    method: 'POST',
    body: new URLSearchParams({ scope: 'notes:read', ...fields }),
  });

  test('a consent form submitted from another site grants no consent', async () => {
    const clientId = agents.documents.publish();
    const { page, jar, userId } = await agents.asked(clientId);
    for (const fields of [{}, { csrf: 'x'.repeat(43) }]) {
      const forged = await jar.open(actionIn(page.html), allow(fields));
      expect(forged.left).toBeUndefined();
      expect(forged.html).toContain('asks for access');
    }
    const { consents } = await server.ports(['consents']);
    expect(await consents.listOf(userId, 0)).toEqual([]);
  });

  test('a consent form with the CSRF token of another login grants no consent', async () => {
    const clientId = agents.documents.publish();
    const [one, other] = [await agents.asked(clientId), await agents.asked(clientId)];
    const second = await agents.ask(one.jar, clientId);
    for (const page of [other.page, second]) {
      const forged = await one.jar.open(actionIn(one.page.html), allow({ csrf: readForm(page).csrf }));
      expect(forged.left).toBeUndefined();
    }
    const stolen = await other.jar.open(actionIn(one.page.html), allow({ csrf: readForm(one.page).csrf }));
    expect(stolen.left).toBeUndefined();
  });

  test('submitting the same consent form several times yields only one authorization code', async () => {
    const { page, jar } = await agents.asked(agents.documents.publish());
    const again = () => jar.open(actionIn(page.html), allow({ csrf: readForm(page).csrf }));
    const answers = await atOnce(5, again);
    expect(answers.filter(({ left }) => left?.searchParams.has('code'))).toHaveLength(1);
    expect((await again()).left).toBeUndefined();
  });

  test('a consent form submitted before the user has logged in shows the login page instead of granting consent', async () => {
    const clientId = agents.documents.publish();
    const jar = agents.login.browser();
    const start = await agents.ask(jar, clientId);
    const action = /action="(\/login\/[^"/]+)"/.exec(start.html)?.[1] ?? '';
    const early = await jar.open(`${action}${ALLOW}`, allow({ csrf: readForm(start).csrf }));
    expect(early.html).toContain('name="identifier"');
  });

  test('a consent form cannot grant scopes that were not shown on the consent page', async () => {
    const clientId = agents.documents.publish();
    const { page } = await agents.asked(clientId, { scope: 'notes:read' });
    const { left } = await page.submit({ scope: 'notes:read notes:write notes:burn openid email' }, ALLOW);
    const { body } = await agents.exchange(clientId, left);
    expect(body.scope).toBe('notes:read');
    expect(body).not.toHaveProperty('id_token');
  });

  test('consent for one resource is not valid for another resource', async () => {
    const token = await server.clientToken();
    const fields = resourceFields({ scopes: [{ name: 'orders:read' }] });
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', fields, token);
    const clientId = agents.documents.publish();
    const { page, jar } = await agents.asked(clientId);
    const { left } = await page.submit({ scope: 'notes:read', stay: 'yes' }, ALLOW);
    expectOAuthError(await agents.exchange(clientId, left, { resource: uri }), 400, 'invalid_target');
    const { body } = await agents.exchange(clientId, left, { resource: agents.notes });
    const other = await agents.refresh(clientId, body.refresh_token, { resource: uri });
    expectOAuthError(other, 400, 'invalid_target');
    expect((await agents.ask(jar, clientId, { resource: uri, scope: undefined })).html).toContain(
      'asks for access',
    );
  });

  test('consent to one agent is not valid for another agent, even if both client IDs have the same host', async () => {
    const { jar } = await agents.connected(agents.documents.publish());
    const other = await agents.ask(jar, agents.documents.publish());
    expect(other.html).toContain('asks for access');
  });

  test("revoking consent also revokes the agent's refresh token, even if the agent uses the token at the same time", async () => {
    const clientId = agents.documents.publish();
    const { jar, tokens } = await agents.connected(clientId);
    const page = await jar.open('/account');
    await Promise.all([
      page.submit({}, '/consents/end'),
      ...(await atOnce(5, () => agents.refresh(clientId, tokens.refresh_token))),
    ]);
    expectOAuthError(await agents.refresh(clientId, tokens.refresh_token), 400, 'invalid_grant');
  });
});

test("an agent and a registered client cannot exchange each other's authorization codes", async () => {
  const clientId = agents.documents.publish();
  const { page } = await agents.asked(clientId);
  const { left } = await page.submit({ scope: 'notes:read' }, ALLOW);
  const code = left?.searchParams.get('code') ?? '';
  const { client_id, client_secret, public_client } = server.environment;
  for (const client of [{ client_id, client_secret }, public_client]) {
    const taken = await server.form('/oidc/token', {
      ...client,
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
    });
    expectOAuthError(taken, 400, 'invalid_grant');
  }
  expect((await agents.exchange(clientId, left)).status).toBe(200);
  const { email } = await agents.someUser();
  const own = await agents.login.logIn(agents.login.browser(), email);
  expectOAuthError(
    await agents.exchange(clientId, own, { redirect_uri: agents.login.redirectUri }),
    400,
    'invalid_grant',
  );
});

test("exchanging an agent's authorization code a second time revokes the tokens of the first exchange", async () => {
  const clientId = agents.documents.publish();
  const { page } = await agents.asked(clientId);
  const { left } = await page.submit({ scope: 'notes:read', stay: 'yes' }, ALLOW);
  const { body } = await agents.exchange(clientId, left);
  expectOAuthError(await agents.exchange(clientId, left), 400, 'invalid_grant');
  expectOAuthError(await agents.refresh(clientId, body.refresh_token), 400, 'invalid_grant');
});

describe("operations that accept an agent's access token", () => {
  const guarded = rows.filter(([, row]) => acceptsToken(row));
  let token: string;
  // All tests share one token, because a rejected call does not revoke the token.
  beforeAll(async () => {
    const scope = 'openid email notes:read notes:write';
    token = (await agents.connected(agents.documents.publish(), { scope })).tokens.access_token;
  });

  test.each(sample(guarded))(
    "the operation %s accepts an agent's access token only if the operation table says so",
    async (_, row) => {
      const call = withHeaders(createCall(row), { authorization: `Bearer ${token}` });
      const answer = await send(server, call);
      if (row.acceptsConsentedTokens) expect(answer.status).toBe(200);
      else expectError(answer, row.dialect, 'invalid_token');
    },
  );

  test("UserInfo is the only operation that accepts an agent's access token", () => {
    expect(guarded.filter(([, row]) => row.acceptsConsentedTokens).map(([name]) => name)).toEqual([
      'userInfo',
    ]);
  });
});

test('an agent cannot request a token for a resource of another tenant', async () => {
  const { application } = await storeTenant(server, { clientDocumentHosts: ['localhost'] });
  const clientId = agents.documents.publish();
  const change = { app_id: application.applicationId };
  const { left } = await agents.ask(agents.login.browser(), clientId, change);
  expect(left && answerIn(left)).toMatchObject({ error: 'invalid_target' });
});

test("opening the account page with an agent's client ID in the URL still requires the user to log in", async () => {
  const clientId = agents.documents.publish();
  const query = new URLSearchParams({ client_id: clientId, app_id: server.environment.app_id });
  const page = await agents.login.browser().open(`/account?${query}`);
  expect(page.html).toContain('name="identifier"');
  const unknown = new URLSearchParams({ client_id: clientId, app_id: 'other' });
  expect((await agents.login.browser().open(`/account?${unknown}`)).status).toBe(400);
});
