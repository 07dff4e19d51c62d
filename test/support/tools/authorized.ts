import { expect } from '@jest/globals';
import { hashSecret, newId, newSecret } from '../../../shared/domain/basis/random.ts';
import { createAuthorizationCode } from '../../../shared/domain/oauth/authorization-code.ts';
import type { CodeFacts } from '../../../shared/domain/oauth/code-facts.ts';
import { currentGeneration, FIRST_GENERATION } from '../../../shared/domain/trust/generations.ts';
import type { AuthorizationCode } from '../../../shared/ports/authorization.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import { createUser, newEmail, type WireUser } from '../fixtures/people.ts';
import type { TokenResponse } from '../fixtures/tokens.ts';
import { someClient, someUse } from '../server/records.ts';
import type { TestAnswer, TestServer } from '../server/test-server.ts';

// Stores clients and authorization codes directly, so that tests of tokens need no login in a browser.

export interface ClientWithSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

export const demoClient = ({ environment }: TestServer): ClientWithSecret => ({
  clientId: environment.client_id,
  clientSecret: environment.client_secret,
});

export const demoManager = ({ environment: { management } }: TestServer): ClientWithSecret => ({
  clientId: management.client_id,
  clientSecret: management.client_secret,
});

/** Stores a client, by default of the demo application. */
export async function storeClient(
  server: TestServer,
  change: Partial<Client> = {},
): Promise<ClientWithSecret & { readonly record: Client }> {
  const { clientRecords } = await server.ports(['clientRecords']);
  const { tenant_id: tenantId, app_id: applicationId } = server.environment;
  const clientSecret = newSecret();
  const secrets = [{ secretId: newId(), hash: hashSecret(clientSecret), createdAt: 0 }];
  const record = someClient({ tenantId, applicationId, secrets, ...change });
  await clientRecords.put(record);
  return { clientId: record.clientId, clientSecret, record };
}

export interface StoredCode {
  readonly code: string;
  readonly record: AuthorizationCode;
}

/** Returns the data of an authorization code for a user who has just logged in with an email code. */
export function codeFacts(server: TestServer, userId: string, change: Partial<CodeFacts> = {}): CodeFacts {
  const now = Math.floor(Date.now() / 1000);
  return {
    origin: 'oidc',
    tenantId: server.environment.tenant_id,
    applicationId: server.environment.app_id,
    clientId: server.environment.client_id,
    redirectUri: server.environment.redirect_uris[0] ?? '',
    scope: 'openid email phone offline_access',
    offlineAccess: true,
    resources: [],
    userId,
    methods: [someUse({ at: now })],
    generation: FIRST_GENERATION,
    authTime: now,
    ...change,
  };
}

/** Stores an authorization code for a user. */
export async function storeCode(
  server: TestServer,
  userId: string,
  change: Partial<CodeFacts> = {},
  lifetimeSeconds?: number,
): Promise<StoredCode> {
  const { codes, users } = await server.ports(['codes', 'users']);
  const user = await users.find(userId);
  const facts = codeFacts(server, userId, {
    ...(user && { generation: currentGeneration(user) }),
    ...change,
  });
  const made = createAuthorizationCode(facts, Math.floor(Date.now() / 1000), lifetimeSeconds);
  await codes.put(made.record);
  return made;
}

/** Stores an authorization code for a new user. */
export async function storeNewCode(
  server: TestServer,
  change: Partial<CodeFacts> = {},
  lifetimeSeconds?: number,
): Promise<StoredCode> {
  return storeCode(
    server,
    (await createUser(server, { email: newEmail() })).user_id,
    change,
    lifetimeSeconds,
  );
}

/** Expects an OAuth error response, including the fields `error_code` and `message` of the API's own error format. */
export function expectOAuthError(answer: TestAnswer<unknown>, status: number, error: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error, error_description: expect.any(String), message: expect.any(String), error_code: status },
  });
}

export const expectGrantError = (answer: TestAnswer<unknown>) =>
  expectOAuthError(answer, 400, 'invalid_grant');

type Fields = Readonly<Record<string, string>>;

/** Calls the token endpoint with the client secret in the form. */
export function askToken<Body = TokenResponse & Fields>(
  server: TestServer,
  fields: Fields,
  { clientId, clientSecret }: ClientWithSecret = demoClient(server),
  headers: Fields = {},
): Promise<TestAnswer<Body>> {
  return server.form(
    '/oidc/token',
    { client_id: clientId, client_secret: clientSecret, ...fields },
    { headers },
  );
}

export function exchange(
  server: TestServer,
  { code, record }: StoredCode,
  fields: Fields = {},
  client?: ClientWithSecret,
  headers?: Fields,
) {
  const { redirectUri } = record;
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  return askToken(server, { ...grant, ...fields }, client, headers);
}

export function refresh(
  server: TestServer,
  refreshToken: string,
  fields: Fields = {},
  client?: ClientWithSecret,
) {
  return askToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken, ...fields }, client);
}

export interface LoggedIn {
  readonly user: WireUser;
  readonly tokens: TokenResponse & Fields;
}

/** Creates a user and exchanges a stored authorization code. Returns the tokens. */
export async function logIn(
  server: TestServer,
  change: Partial<CodeFacts> = {},
  client?: ClientWithSecret,
): Promise<LoggedIn> {
  const user = await createUser(server, { email: newEmail() });
  const owner = client ? { clientId: client.clientId } : {};
  const code = await storeCode(server, user.user_id, { ...owner, ...change });
  const { status, body } = await exchange(server, code, {}, client);
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`);
  return { user, tokens: body };
}

/** Returns the introspection response for a token, requested by the client to which the token was issued. */
export async function introspect(
  server: TestServer,
  token: string,
  client: ClientWithSecret = demoClient(server),
) {
  const { clientId, clientSecret } = client;
  const fields = { client_id: clientId, client_secret: clientSecret, token };
  return (
    await server.form<{ active: boolean } & Readonly<Record<string, unknown>>>(
      '/oidc/token/introspection',
      fields,
    )
  ).body;
}

/** Returns the response to a refresh that must succeed. */
export async function refreshed(...asked: Parameters<typeof refresh>) {
  const { status, body } = await refresh(...asked);
  expect(status).toBe(200);
  return body;
}

/** Expects that a refresh token and its family are revoked. */
export async function expectFamilyEnded(server: TestServer, token: string): Promise<void> {
  expect(await introspect(server, token)).toEqual({ active: false });
  expectGrantError(await refresh(server, token));
}

/** Expects that none of these access tokens and refresh tokens is valid. */
export async function expectDead(
  server: TestServer,
  tokens: { readonly access_token: string; readonly refresh_token?: string },
) {
  expect(await introspect(server, tokens.access_token)).toEqual({ active: false });
  const shown = await server.get('/oidc/me', { token: tokens.access_token });
  expect(shown.status).toBe(401);
  if (tokens.refresh_token !== undefined) await expectFamilyEnded(server, tokens.refresh_token);
}
