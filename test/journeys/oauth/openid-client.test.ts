import { beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import type { Client, PublicJwk } from '../../../shared/ports/directory.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeClient, storeCode } from '../../support/tools/authorized.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';

/**
 * openid-client completes every flow with its own checks switched on, signatures of answers too; only plain HTTP, which the
 * local server speaks, is allowed.
 */

const server = useTestServer({ rateLimits: 'off' });
let redirect_uri: string;
beforeAll(async () => {
  redirect_uri = server.environment.redirect_uris[0] ?? '';
});

interface Registered {
  readonly clientId: string;
  readonly auth: client.ClientAuth;
}

/** How clients authenticate: each registered for it alone. */
const METHODS: Readonly<Record<string, () => Promise<Registered>>> = {
  client_secret_post: async () => {
    const { clientId, clientSecret } = await storeClient(server);
    return { clientId, auth: client.ClientSecretPost(clientSecret) };
  },
  client_secret_basic: async () => {
    const { clientId, clientSecret } = await storeClient(server);
    return { clientId, auth: client.ClientSecretBasic(clientSecret) };
  },
  private_key_jwt: async () => {
    const { privateKey, publicKey } = await client.randomDPoPKeyPair('ES256', { extractable: true });
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one' } as PublicJwk;
    const { clientId } = await storeClient(server, {
      authMethod: 'private_key_jwt',
      secrets: [],
      jwks: { keys: [jwk] },
      strictAudience: true,
    });
    return { clientId, auth: client.PrivateKeyJwt({ key: privateKey, kid: 'one' }) };
  },
  none: async () => {
    const { clientId } = await storeClient(server, { authMethod: 'none', secrets: [] });
    return { clientId, auth: client.None() };
  },
};

function discover({ clientId, auth }: Registered): Promise<client.Configuration> {
  return client.discovery(new URL(server.environment.issuer), clientId, undefined, auth, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });
}

interface Login {
  readonly config: client.Configuration;
  readonly userId: string;
  readonly callback: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** A login that has just returned to the application. */
async function loggedIn(registered: Registered): Promise<Login> {
  const config = await discover(registered);
  const verifier = client.randomPKCECodeVerifier();
  const [nonce, state] = [client.randomNonce(), client.randomState()];
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const { code } = await storeCode(server, userId, {
    clientId: registered.clientId,
    codeChallenge: await client.calculatePKCECodeChallenge(verifier),
    nonce,
  });
  const callback = new URL(redirect_uri);
  callback.search = new URLSearchParams({ code, state, iss: server.environment.issuer }).toString();
  const checks = {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
    maxAge: 60,
  };
  return { config, userId, callback, checks };
}

test('discovery finds the endpoints and what they take', async () => {
  const config = await discover(await (METHODS.none as () => Promise<Registered>)());
  expect(config.serverMetadata()).toMatchObject({
    issuer: server.environment.issuer,
    code_challenge_methods_supported: ['S256'],
  });
  expect(config.serverMetadata().supportsPKCE()).toBe(true);
});

describe.each(Object.entries(METHODS))('a client that authenticates by %s', (method, register) => {
  test.each([
    ['bearer tokens', false],
    ['tokens bound to its key', true],
  ])('gets %s, refreshes, shows, inspects and revokes them', async (_title, bound) => {
    const { config, userId, callback, checks } = await loggedIn(await register());
    const keys = await client.randomDPoPKeyPair('ES256');
    const options = bound ? { DPoP: client.getDPoPHandle(config, keys) } : {};

    const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, options);
    expect(tokens.token_type).toBe(bound ? 'dpop' : 'bearer');
    expect(tokens.claims()?.sub).toBe(userId);

    const shown = await client.fetchUserInfo(config, tokens.access_token, userId, options);
    expect(shown).toMatchObject({ sub: userId, email_verified: false });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, options);
    expect(refreshed.claims()?.sub).toBe(userId);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

    if (method !== 'none') {
      const active = await client.tokenIntrospection(config, refreshed.access_token);
      expect(active).toMatchObject({ active: true, sub: userId, ...(bound && { token_type: 'DPoP' }) });
    }
    await client.tokenRevocation(config, refreshed.refresh_token ?? '');
    if (method !== 'none')
      expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    await expect(
      client.refreshTokenGrant(config, refreshed.refresh_token ?? '', {}, options),
    ).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  if (method !== 'none')
    test('gets a token of its own', async () => {
      const config = await discover(await register());
      const { access_token, token_type } = await client.clientCredentialsGrant(config);
      expect(token_type).toBe('bearer');
      expect(await client.tokenIntrospection(config, access_token)).toMatchObject({ active: true });
    });
});

test('a client that needs a nonce in its proofs gets it and goes on', async () => {
  const demands: Partial<Client> = { dpopBound: true, dpopNonce: true };
  const { clientId, clientSecret } = await storeClient(server, demands);
  const { config, userId, callback, checks } = await loggedIn({
    clientId,
    auth: client.ClientSecretBasic(clientSecret),
  });
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  expect(tokens.token_type).toBe('dpop');
  expect(await client.fetchUserInfo(config, tokens.access_token, userId, { DPoP })).toMatchObject({
    sub: userId,
  });
});

describe('a login in the browser', () => {
  test('by pushed request and PKCE, to the end of the session', async () => {
    const { client_id: clientId, client_secret } = server.environment;
    const config = await discover({ clientId, auth: client.ClientSecretBasic(client_secret) });
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedNonce, expectedState] = [client.randomNonce(), client.randomState()];
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));

    const start = await client.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri,
        scope: 'openid email offline_access',
        prompt: 'consent',
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        nonce: expectedNonce,
        state: expectedState,
      },
      { DPoP },
    );
    expect([...start.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);

    const jar = new BrowserJar(new URL(server.environment.base_url).origin);
    const identify = await jar.open(start.href);
    const typing = await identify.submit({ identifier: email, method: 'email' });
    const [mail] = await server.messages({ to: email });
    const { left } = await typing.submit({ passcode: mail?.codes[0] ?? '' });
    if (!left) throw new Error('the login did not lead back');

    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, left, checks, undefined, { DPoP });
    expect(tokens.claims()).toMatchObject({ sub: user_id, email, email_verified: true, amr: ['eotp'] });
    const shown = await client.fetchUserInfo(config, tokens.access_token, user_id, { DPoP });
    expect(shown).toEqual({ sub: user_id, email, email_verified: true });

    await withApplication(server, { postLogoutRedirectUris: [redirect_uri] }, async () => {
      const end = client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: redirect_uri,
        id_token_hint: tokens.id_token ?? '',
        state: 'done',
      });
      const ended = await jar.open(end.href);
      expect(ended.left?.href).toBe(`${redirect_uri}?state=done`);
    });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });
});
