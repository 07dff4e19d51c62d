import { randomUUID } from 'node:crypto';
import { codeChallenge } from '../fixtures/hosted-login.ts';
import {
  asManager,
  made,
  madeClient,
  madeManager,
  madeMember,
  madeWebhook,
  resourceFields,
} from '../fixtures/managed.ts';
import { createUser, newEmail, newPhoneNumber } from '../fixtures/people.ts';
import type { TokenResponse } from '../fixtures/tokens.ts';
import type { TestServer } from '../server/test-server.ts';
import { storeNewCode } from '../tools/authorized.ts';
import { BrowserJar } from '../tools/browser-jar.ts';
import { Mark } from './schema-values.ts';

// Creates the records that fuzzed inputs refer to, on demand. With existing records, valid inputs reach the domain rules.

const mark = (...names: readonly string[]) => names.map((name) => new Mark(name));

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Valid values of input fields, by field name. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  userId: mark('userId'),
  user_id: mark('userId'),
  identifier: mark('email'),
  identifier_type: ['email'],
  email: mark('email', 'newEmail'),
  custom_email: mark('newEmail'),
  phone_number: mark('phoneNumber', 'newPhoneNumber'),
  phoneNumber: mark('phoneNumber'),
  custom_phone_number: mark('newPhoneNumber'),
  username: mark('username'),
  passcode: mark('passcode'),
  code: mark('linkCode', 'code'),
  session_id: mark('sessionId'),
  refresh_token: mark('refreshToken'),
  token: mark('accessToken', 'refreshToken'),
  id_token_hint: mark('idToken'),
  redirect_uri: mark('redirectUri'),
  post_logout_redirect_uri: mark('redirectUri'),
  client_id: mark('client_id'),
  client_secret: mark('client_secret'),
  clientId: mark('clientId'),
  secretId: mark('secretId'),
  appId: mark('appId'),
  app_id: mark('appId'),
  resourceId: mark('resourceId'),
  resource: mark('resource'),
  resourceUri: mark('resource'),
  uri: mark('newUri'),
  webhookId: mark('webhookId'),
  url: ['https://hooks.example.com/x'],
  organizationId: mark('organizationId'),
  org_id: mark('organizationId'),
  loginId: mark('loginId'),
  csrf: mark('csrf'),
  grant_type: ['client_credentials', 'authorization_code', 'refresh_token'],
  response_type: ['code'],
  response_mode: ['query', 'form_post'],
  scope: ['openid', 'openid email offline_access'],
  prompt: ['none', 'login', 'consent'],
  acr_values: ['mfa', 'phone_number'],
  max_age: ['100'],
  claims: ['{"id_token":{"email":null}}'],
  code_challenge: [codeChallenge],
  code_challenge_method: ['S256'],
  ui_locales: ['de en'],
  base64logo: [PNG],
  language: ['de'],
  provider: ['google'],
  act: ['identify'],
  dpop_jkt: [codeChallenge],
};

/** Other valid values of the same field names in operations whose path begins with the given prefix. */
const KNOWN_BELOW: Readonly<Record<string, typeof KNOWN>> = {
  '/v1/management-clients/': { clientId: mark('managerId'), secretId: mark('managerSecretId') },
  '/v1/organizations/': { userId: mark('memberId'), user_id: mark('newUserId') },
};

export function knownAt(path: string): typeof KNOWN {
  const below = Object.entries(KNOWN_BELOW).find(([beginning]) => path.startsWith(beginning));
  return { ...KNOWN, ...below?.[1] };
}

export function newRecords(server: TestServer): (name: string) => Promise<unknown> {
  const { client_id, client_secret, redirect_uris } = server.environment;
  const once = new Map<string, Promise<unknown>>();
  const only = <Value>(name: string, make: () => Promise<Value>): Promise<Value> => {
    const value = (once.get(name) as Promise<Value> | undefined) ?? make();
    once.set(name, value);
    return value;
  };

  const token = () => only('token', server.clientToken);
  const user = () =>
    only('user', async () => {
      const [email, phone_number] = [newEmail('known'), newPhoneNumber()];
      const { user_id: userId } = await createUser(server, { email, phone_number });
      return { userId, email, phone_number };
    });
  const passcode = async () => {
    const to = { channel: 'direct', identifier_type: 'email', identifier: (await user()).email };
    return (await server.post('/v1/auth/otp/send', to, { token: await token() })).body.code ?? '000000';
  };
  const linkCode = async () => {
    const to = { channel: 'direct', identifier_type: 'email', identifier: (await user()).email };
    const body = { ...to, redirect_uri: redirect_uris[0] };
    return (await server.post('/v1/auth/link/email/send', body, { token: await token() })).body.code ?? 'x';
  };
  const login = () =>
    only('login', async () => {
      const guess = {
        passcode: await passcode(),
        identifier_type: 'email',
        identifier: (await user()).email,
      };
      const { body } = await server.post<TokenResponse>('/v1/auth/otp/authenticate', guess, {
        token: await token(),
      });
      return body;
    });
  const client = () => only('client', () => madeClient(server));
  const manager = () => only('manager', () => madeManager(server));
  const resource = () =>
    only('resource', async () =>
      made<{ resource_id: string; uri: string }>(server, '/v1/resources', resourceFields(), await token()),
    );
  const member = () => only('member', () => madeMember(server));
  const hosted = () =>
    only('hosted', async () => {
      const jar = new BrowserJar(new URL(server.url).origin);
      const asked = {
        client_id,
        redirect_uri: redirect_uris[0] ?? '',
        response_type: 'code',
        scope: 'openid',
      };
      const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' };
      const first = await jar.request(
        `${server.environment.issuer}/auth?${new URLSearchParams({ ...asked, ...pkce })}`,
      );
      const location = first.headers.get('location') ?? '';
      const page = await jar.open(location);
      const cookie = [...jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      return {
        loginId: /\/login\/([^/?]+)/.exec(location)?.[1] ?? 'none',
        csrf: /name="csrf" value="([^"]+)/.exec(page.html)?.[1] ?? 'none',
        cookie,
      };
    });

  /** Creates a webhook. Deletes all other webhooks first, because the number of webhooks per tenant is limited. */
  const newWebhook = async () => {
    const manager = asManager(server);
    const { result } = (await manager.get<readonly { webhook_id: string }[]>('/v1/webhooks')).body;
    for (const { webhook_id } of result) await manager.remove(`/v1/webhooks/${webhook_id}`);
    return (await madeWebhook(server)).webhook_id;
  };

  const makers: Readonly<Record<string, () => unknown>> = {
    userId: async () => (await user()).userId,
    email: async () => (await user()).email,
    phoneNumber: async () => (await user()).phone_number,
    newUserId: async () => (await createUser(server, { email: newEmail('fuzz') })).user_id,
    newEmail: () => newEmail('fuzz'),
    newPhoneNumber,
    username: () => `fuzz-${randomUUID()}`,
    passcode,
    linkCode,
    code: async () => (await storeNewCode(server)).code,
    sessionId: async () => (await login()).session_id,
    accessToken: async () => (await login()).access_token,
    refreshToken: async () => (await login()).refresh_token ?? 'none',
    idToken: async () => (await login()).id_token,
    redirectUri: () => redirect_uris[0],
    client_id: () => client_id,
    client_secret: () => client_secret,
    clientId: async () => (await client()).client_id,
    appId: async () => (await client()).app_id,
    secretId: async () => (await client()).secrets[0]?.secret_id,
    managerId: async () => (await manager()).client_id,
    managerSecretId: async () => (await manager()).secrets[0]?.secret_id,
    resourceId: async () => (await resource()).resource_id,
    resource: async () => (await resource()).uri,
    newUri: () => `https://api.example.com/${randomUUID()}`,
    webhookId: () => only('webhook', newWebhook),
    organizationId: async () => (await member()).organizationId,
    memberId: async () => (await member()).userId,
    loginId: async () => (await hosted()).loginId,
    csrf: async () => (await hosted()).csrf,
    cookie: async () => (await hosted()).cookie,
  };
  return async (name) => {
    const make = makers[name];
    if (!make) throw new Error(`no record is called ${name}`);
    return make();
  };
}
