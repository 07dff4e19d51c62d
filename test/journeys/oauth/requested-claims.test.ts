// Claims in ID tokens, and refresh tokens, depending on what the client requests.
import { describe, expect, test } from '@jest/globals';
import { decodeClaims, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { askToken, type ClientWithSecret, refresh, storeClient } from '../../support/tools/authorized.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

async function newUser() {
  const fields = {
    email: newEmail(),
    phone_number: newPhoneNumber(),
    name: { first_name: 'Ada' },
    groups: ['staff'],
  };
  await createUser(server, fields);
  return fields;
}

type Request = Readonly<Record<string, string>>;

async function tokensAfter(email: string, request: Request, client: ClientWithSecret) {
  const asked = { client_id: client.clientId, ...request };
  const target = await login.logIn(login.browser(), email, asked);
  const { status, body } = await login.exchange(target, {}, client);
  expect(status).toBe(200);
  return body;
}

/** Returns the claims of an ID token except protocol claims (such as `iss`) and claims about the login (such as `amr`). */
function readUserClaims(idToken: string) {
  const { iss, sub, aud, iat, exp, auth_time, amr, nonce, ...rest } = decodeClaims(idToken);
  return rest;
}

const OF_LOGIN = { tid: expect.any(String), new_user: expect.any(Boolean) };

describe('claims in ID tokens of a hosted login', () => {
  /** Creates an application with a client through the API. */
  async function made(fields: object = {}): Promise<ClientWithSecret> {
    const { body } = await server.post<{ result: { app_id: string } }>(
      '/v1/applications',
      { name: 'Shop', redirect_uris: [login.redirectUri], ...fields },
      { token: await server.adminToken() },
    );
    return storeClient(server, { applicationId: body.result.app_id });
  }

  test('by default, an ID token contains only claims that the parameters scope and claims request', async () => {
    const client = await made();
    const { email, phone_number, groups } = await newUser();
    const said = async (request: Request) =>
      readUserClaims((await tokensAfter(email, request, client)).id_token);
    const byEmail = { email, email_verified: true };
    expect(await said({ scope: 'openid' })).toEqual({});
    expect(await said({ scope: 'openid email' })).toEqual(byEmail);
    expect(await said({ scope: 'openid phone profile' })).toEqual({
      phone_number,
      phone_number_verified: false,
      name: 'Ada',
      given_name: 'Ada',
      updated_at: expect.any(Number),
    });
    const claims = JSON.stringify({ id_token: { groups: null, email: null, name: { value: 'Bob' } } });
    expect(await said({ scope: 'openid', claims })).toEqual({ groups, email });
    const ofLogin = JSON.stringify({ id_token: { tid: null, new_user: null } });
    expect(await said({ scope: 'openid', claims: ofLogin })).toEqual(OF_LOGIN);
  });

  test('refreshing with a narrower scope yields an ID token with only the claims of that scope', async () => {
    const client = await made();
    const { email } = await newUser();
    const asked = { scope: 'openid email offline_access', prompt: 'consent' };
    const { refresh_token = '' } = await tokensAfter(email, asked, client);
    const { body: same } = await refresh(server, refresh_token, {}, client);
    expect(readUserClaims(same.id_token)).toEqual({ email, email_verified: true });
    const narrow = { scope: 'openid' };
    const { body: less } = await refresh(server, same.refresh_token ?? '', narrow, client);
    expect(readUserClaims(less.id_token)).toEqual({});
  });

  test('an ID token of an application with `id_token_claims: all` contains email and groups', async () => {
    const client = await made({ id_token_claims: 'all' });
    const { email, groups } = await newUser();
    const asked = { scope: 'openid offline_access', prompt: 'consent' };
    const { id_token, refresh_token = '' } = await tokensAfter(email, asked, client);
    expect(readUserClaims(id_token)).toEqual({ ...OF_LOGIN, email, email_verified: true, groups });
    const { body } = await refresh(server, refresh_token, {}, client);
    expect(readUserClaims(body.id_token)).toEqual({ ...OF_LOGIN, email, email_verified: true, groups });
  });

  test('SPEC A: an ID token of a one-time code login always contains all claims', async () => {
    const client = await made({ login_preferences: { direct: {} } });
    const { email, groups } = await newUser();
    const { body } = await askToken(server, { grant_type: 'client_credentials' }, client);
    const post = (path: string, fields: object) =>
      server.post<{ code: string; id_token: string }>(
        `/v1/auth/otp/${path}`,
        { identifier: email, identifier_type: 'email', ...fields },
        { token: body.access_token },
      );
    const { code } = (await post('send', { channel: 'direct' })).body;
    const { id_token } = (await post('authenticate', { passcode: code })).body;
    expect(readUserClaims(id_token)).toEqual({ ...OF_LOGIN, email, email_verified: false, groups });
  });
});

describe('scope offline_access and refresh tokens', () => {
  const scope = 'openid email offline_access';

  test('a client that must ask for consent to offline_access gets no refresh token without prompt=consent', async () => {
    const { email } = await newUser();
    const tokens = await tokensAfter(
      email,
      { scope },
      await storeClient(server, { offlineAccessNeedsConsent: true }),
    );
    expect(tokens.scope).toBe('openid email');
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('N087 a refresh token is issued only if offline_access is requested', async () => {
    const client = await storeClient(server);
    const { email } = await newUser();
    const tokens = await tokensAfter(email, { scope }, client);
    expect(tokens.scope).toBe(scope);
    const { status } = await refresh(server, tokens.refresh_token ?? '', {}, client);
    expect(status).toBe(200);
    expect((await tokensAfter(email, { scope: 'openid' }, client)).refresh_token).toBeUndefined();
  });
});
