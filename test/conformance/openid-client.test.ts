import { describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import type { Client } from '../../shared/ports/directory.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  newPerson,
  newUser,
  type Person,
  POST_LOGOUT_REDIRECT_URI,
  REDIRECT_URI,
  register,
  signingClient,
} from './support.ts';

// Tests with openid-client, the most used OpenID library of Node.js, without modifications. The only relaxed check allows plain
// HTTP, which the local server uses.

const server = useTestServer({ rateLimits: 'off' });

async function configure(
  clientId: string,
  authentication: client.ClientAuth,
  algorithm: 'oidc' | 'oauth2' = 'oidc',
): Promise<client.Configuration> {
  const config = await client.discovery(new URL(server.environment.issuer), clientId, {}, authentication, {
    execute: [client.allowInsecureRequests],
    algorithm,
  });
  // Stricter than the default: signatures of ID tokens are verified too.
  client.enableNonRepudiationChecks(config);
  return config;
}

interface Login {
  readonly tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;
  readonly person: Person;
}

/** Logs in with PAR, PKCE and an authorization code. Returns the tokens. */
async function logIn(
  config: client.Configuration,
  { pushed = true, ...more }: { readonly pushed?: boolean } & Record<string, unknown> = {},
  options: client.DPoPOptions = {},
  known?: Person,
): Promise<Login> {
  const person = known ?? (await newUser(server));
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email offline_access',
    prompt: 'consent',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...(more as Record<string, string>),
  };
  const address = pushed
    ? await client.buildAuthorizationUrlWithPAR(config, parameters, options)
    : client.buildAuthorizationUrl(config, parameters);
  expect([...address.searchParams.keys()].sort().includes('request_uri')).toBe(pushed);
  const arrival = await person.authorize(address);
  const tokens = await client.authorizationCodeGrant(
    config,
    arrival,
    { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
    undefined,
    options,
  );
  expect(tokens.claims()?.sub).toBe(person.userId);
  return { tokens, person };
}

/** Calls UserInfo with the access token, refreshes the tokens and logs the user out. */
async function use(
  config: client.Configuration,
  { tokens, person }: Login,
  options: client.DPoPOptions = {},
): Promise<void> {
  const { userId, email, jar } = person;
  expect(await client.fetchUserInfo(config, tokens.access_token, userId, options)).toMatchObject({ email });

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options);
  expect(refreshed.claims()).toMatchObject({ sub: userId, auth_time: tokens.claims()?.auth_time });
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  await client.fetchUserInfo(config, refreshed.access_token, userId, options);

  const leave = client.buildEndSessionUrl(config, {
    id_token_hint: refreshed.id_token ?? '',
    post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
    state: 'bye',
  });
  const left = await jar.open(leave.href);
  expect(left.left?.href).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=bye`);
  await expect(client.fetchUserInfo(config, refreshed.access_token, userId, options)).rejects.toThrow();
  await expect(
    client.refreshTokenGrant(config, refreshed.refresh_token ?? '', undefined, options),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
}

/** Introspects and revokes tokens. Only authenticated clients may do this. */
async function inspect(config: client.Configuration, { tokens }: Login): Promise<void> {
  const { access_token, refresh_token = '' } = tokens;
  expect(await client.tokenIntrospection(config, access_token)).toMatchObject({ active: true });
  expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true });
  await client.tokenRevocation(config, refresh_token);
  expect(await client.tokenIntrospection(config, refresh_token)).toEqual({ active: false });
  expect(await client.tokenIntrospection(config, access_token)).toEqual({ active: false });
}

describe('OpenID Connect flows with openid-client', () => {
  const secrets: readonly (readonly [string, (secret: string) => client.ClientAuth])[] = [
    ['client_secret_post', client.ClientSecretPost],
    ['client_secret_basic', client.ClientSecretBasic],
  ];

  test.each(secrets)(
    'openid-client completes all OpenID Connect flows with %s',
    async (_, authentication) => {
      const { clientId, clientSecret } = await register(server);
      const config = await configure(clientId, authentication(clientSecret));
      await use(config, await logIn(config));
      await inspect(config, await logIn(config));
      const own = await client.clientCredentialsGrant(config);
      expect(own.token_type).toBe('bearer');
    },
  );

  test('N046 openid-client completes all OpenID Connect flows with private_key_jwt', async () => {
    for (const strictAudience of [false, true]) {
      const { privateKey, registration } = await signingClient();
      const { clientId } = await register(server, { ...registration, strictAudience });
      const config = await configure(clientId, client.PrivateKeyJwt(privateKey));
      await use(config, await logIn(config));
      await inspect(config, await logIn(config));
      expect((await client.clientCredentialsGrant(config)).token_type).toBe('bearer');
    }
  });

  test('openid-client completes all OpenID Connect flows without a client secret', async () => {
    const { clientId } = await register(server, { authMethod: 'none', secrets: [] });
    const config = await configure(clientId, client.None());
    await use(config, await logIn(config));
    const { tokens } = await logIn(config, { pushed: false });
    await client.tokenRevocation(config, tokens.refresh_token ?? '');
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test.each<[string, Partial<Client>]>([
    ['', {}],
    [' for a client that requires DPoP', { dpopBound: true }],
    [' for a client that requires DPoP nonces', { dpopBound: true, dpopNonce: true }],
  ])('openid-client completes all OpenID Connect flows with DPoP%s', async (_, registration) => {
    const { clientId, clientSecret } = await register(server, registration);
    const config = await configure(clientId, client.ClientSecretPost(clientSecret));
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const login = await logIn(config, {}, { DPoP });
    expect(login.tokens.token_type).toBe('dpop');
    const { cnf } = await client.tokenIntrospection(config, login.tokens.access_token);
    expect(cnf?.jkt).toBe(await DPoP.calculateThumbprint());
    await use(config, login, { DPoP });
  });

  test('openid-client completes all flows with OAuth 2.0 metadata (RFC 8414) and without PAR', async () => {
    const { clientId, clientSecret } = await register(server);
    const config = await configure(clientId, client.ClientSecretPost(clientSecret), 'oauth2');
    await use(config, await logIn(config, { pushed: false }));
  });

  test('openid-client completes all OpenID Connect flows for a user who signs up', async () => {
    const setting = { publicSignup: true, hostedSignUp: true };
    const { clientId, clientSecret } = await register(server, {}, setting);
    const config = await configure(clientId, client.ClientSecretPost(clientSecret));
    const person = newPerson(server);
    const verifier = client.randomPKCECodeVerifier();
    const arrival = await person.authorize(
      client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: 'openid email',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    );
    const tokens = await client.authorizationCodeGrant(config, arrival, { pkceCodeVerifier: verifier });
    const { sub: userId = '', ...claims } = tokens.claims() ?? {};
    expect(claims).toMatchObject({ email: person.email, new_user: true });
    await use(config, await logIn(config, {}, {}, { ...person, userId }));
  });

  test('openid-client completes all OpenID Connect flows for a client that must use PAR', async () => {
    const { clientId, clientSecret } = await register(server, { requirePushedRequests: true });
    const config = await configure(clientId, client.ClientSecretPost(clientSecret));
    await use(config, await logIn(config));
  });
});

describe('error responses received by the library openid-client', () => {
  test('openid-client reads an error response that arrives at the redirect URI', async () => {
    const { clientId, clientSecret } = await register(server);
    const config = await configure(clientId, client.ClientSecretPost(clientSecret));
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      prompt: 'none',
      state,
    });
    const arrival = await (await newUser(server)).authorize(address);
    const refused = client.authorizationCodeGrant(config, arrival, { expectedState: state });
    await expect(refused).rejects.toMatchObject({ error: 'login_required' });
  });

  test('openid-client reads the error response to a pushed authorization request', async () => {
    const { clientId, clientSecret } = await register(server);
    const config = await configure(clientId, client.ClientSecretPost(clientSecret));
    const push = (parameters: Record<string, string>) =>
      client.buildAuthorizationUrlWithPAR(config, {
        redirect_uri: REDIRECT_URI,
        scope: 'openid',
        ...parameters,
      });
    await expect(push({ redirect_uri: 'https://evil.example/' })).rejects.toMatchObject({
      error: 'invalid_request',
      status: 400,
    });
    await expect(push({ resource: 'https://unknown.example' })).rejects.toMatchObject({
      error: 'invalid_target',
    });
    const stranger = await configure(clientId, client.ClientSecretPost('wrong'));
    await expect(
      client.buildAuthorizationUrlWithPAR(stranger, { redirect_uri: REDIRECT_URI, scope: 'openid' }),
    ).rejects.toThrow();
  });
});
