import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import type { Client, PublicJwk } from '../../shared/ports/directory.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { newUser, type Person, REDIRECT_URI, register, signingClient } from './support.ts';

/** A library that leaves every step to its caller, so that each answer is checked for itself. */

const server = useTestServer({ rateLimits: 'off' });

/** The local server speaks plain HTTP; nothing else is loosened. */
const http = { [oauth.allowInsecureRequests]: true } as const;

async function discover(algorithm: 'oidc' | 'oauth2' = 'oidc'): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.environment.issuer);
  const response = await oauth.discoveryRequest(issuer, { ...http, algorithm });
  return oauth.processDiscoveryResponse(issuer, response);
}

class Relation {
  readonly as: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly dpop: oauth.DPoPHandle | undefined;

  constructor(
    as: oauth.AuthorizationServer,
    clientId: string,
    authentication: oauth.ClientAuth,
    keys?: oauth.CryptoKeyPair,
  ) {
    this.as = as;
    this.client = { client_id: clientId };
    this.authentication = authentication;
    this.dpop = keys && oauth.DPoP(this.client, keys);
  }

  get options() {
    return { ...http, ...(this.dpop ? { DPoP: this.dpop } : {}) };
  }

  /** Asks again where the service wants its nonce in the proof (RFC 9449 §8). */
  async repeated<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return ask();
    }
  }

  async logIn(
    person: Person,
    scope = 'openid email phone offline_access',
  ): Promise<oauth.TokenEndpointResponse> {
    const { as, client, authentication, options } = this;
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ];
    const parameters = {
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope,
      prompt: 'consent',
      max_age: '600',
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const pushed = await this.repeated(async () => {
      const response = await oauth.pushedAuthorizationRequest(
        as,
        client,
        authentication,
        parameters,
        options,
      );
      return oauth.processPushedAuthorizationResponse(as, client, response);
    });
    const address = new URL(as.authorization_endpoint ?? '');
    address.searchParams.set('client_id', client.client_id);
    address.searchParams.set('request_uri', pushed.request_uri);
    const arrival = await person.authorize(address);
    // Compares state and, because the metadata promise it, iss.
    const answer = oauth.validateAuthResponse(as, client, arrival, state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      answer,
      REDIRECT_URI,
      verifier,
      options,
    );
    const checks = { expectedNonce: nonce, maxAge: 600, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks);
    await oauth.validateApplicationLevelSignature(as, response, http);
    expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(person.userId);
    return tokens;
  }

  async userInfo(accessToken: string, person: Person): Promise<oauth.UserInfoResponse> {
    const { as, client, options } = this;
    return this.repeated(async () => {
      const response = await oauth.userInfoRequest(as, client, accessToken, options);
      return oauth.processUserInfoResponse(as, client, person.userId, response);
    });
  }

  async refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse> {
    const { as, client, authentication, options } = this;
    const response = await oauth.refreshTokenGrantRequest(as, client, authentication, refreshToken, options);
    return oauth.processRefreshTokenResponse(as, client, response);
  }

  async introspect(token: string): Promise<oauth.IntrospectionResponse> {
    const { as, client, authentication } = this;
    const response = await oauth.introspectionRequest(as, client, authentication, token, http);
    return oauth.processIntrospectionResponse(as, client, response);
  }

  async revoke(token: string): Promise<void> {
    const { as, client, authentication } = this;
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, authentication, token, http),
    );
  }

  /** As a resource server does that knows nothing but the issuer (RFC 9068 §4). */
  async validate(accessToken: string): Promise<oauth.JWTAccessTokenClaims> {
    const request = new Request('https://api.example/things', {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    return oauth.validateJwtAccessToken(this.as, request, server.environment.issuer, http);
  }
}

async function useAll(relation: Relation): Promise<void> {
  const person = await newUser(server);
  const tokens = await relation.logIn(person);
  expect(tokens.token_type).toBe(relation.dpop ? 'dpop' : 'bearer');
  expect(await relation.userInfo(tokens.access_token, person)).toMatchObject({ email: person.email });
  if (!relation.dpop)
    expect(await relation.validate(tokens.access_token)).toMatchObject({
      sub: person.userId,
      client_id: relation.client.client_id,
    });
  expect(await relation.introspect(tokens.access_token)).toMatchObject({ active: true, sub: person.userId });

  const refreshed = await relation.refresh(tokens.refresh_token ?? '');
  await relation.userInfo(refreshed.access_token, person);
  await relation.revoke(refreshed.refresh_token ?? '');
  expect(await relation.introspect(refreshed.access_token)).toEqual({ active: false });
  await expect(relation.refresh(refreshed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
}

describe('oauth4webapi completes the whole way', () => {
  test.each<[string, (secret: string) => oauth.ClientAuth, 'oidc' | 'oauth2']>([
    ['client_secret_post', oauth.ClientSecretPost, 'oidc'],
    ['client_secret_basic, with metadata of RFC 8414', oauth.ClientSecretBasic, 'oauth2'],
  ])('with %s', async (_, authentication, algorithm) => {
    const { clientId, clientSecret } = await register(server);
    await useAll(new Relation(await discover(algorithm), clientId, authentication(clientSecret)));
  });

  test('with private_key_jwt (N046)', async () => {
    const { privateKey, registration } = await signingClient();
    const { clientId } = await register(server, registration);
    await useAll(new Relation(await discover(), clientId, oauth.PrivateKeyJwt(privateKey)));
  });

  test.each(['RS256', 'PS256', 'Ed25519'])('with private_key_jwt by %s (N046)', async (alg) => {
    const { privateKey, publicKey } = await oauth.generateKeyPair(alg, { extractable: true });
    const { alg: _, ...jwk } = (await crypto.subtle.exportKey('jwk', publicKey)) as PublicJwk;
    const { clientId } = await register(server, {
      authMethod: 'private_key_jwt',
      secrets: [],
      jwks: { keys: [jwk as PublicJwk] },
      strictAudience: true,
    });
    await useAll(new Relation(await discover(), clientId, oauth.PrivateKeyJwt(privateKey)));
  });

  test.each<[string, Partial<Client>]>([
    ['', {}],
    [' and nonces of the service', { dpopBound: true, dpopNonce: true }],
  ])('with DPoP%s', async (_, change) => {
    const { clientId, clientSecret } = await register(server, change);
    const keys = await oauth.generateKeyPair('ES256');
    await useAll(new Relation(await discover(), clientId, oauth.ClientSecretPost(clientSecret), keys));
  });
});

test('oauth4webapi gets a token for the client itself', async () => {
  const { clientId, clientSecret } = await register(server);
  const as = await discover();
  const client = { client_id: clientId };
  const authentication = oauth.ClientSecretBasic(clientSecret);
  const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, {}, http);
  const tokens = await oauth.processClientCredentialsResponse(as, client, response);
  const relation = new Relation(as, clientId, authentication);
  expect(await relation.validate(tokens.access_token)).toMatchObject({ sub: clientId });
});

test('N040 N041 metadata is found as OpenID Connect and as OAuth lay it out', async () => {
  const issuer = new URL(server.environment.issuer);
  const inserted = `${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`;
  const found = await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' });
  expect(found.url).toBe(inserted);
  const as = await oauth.processDiscoveryResponse(issuer, found);
  expect(as).toEqual(await discover());
  expect(as.issuer).toBe(server.environment.issuer);
});

describe('a resource server', () => {
  async function tokensOf(keys?: oauth.CryptoKeyPair) {
    const { clientId, clientSecret } = await register(server);
    const authentication = oauth.ClientSecretBasic(clientSecret);
    const relation = new Relation(await discover(), clientId, authentication, keys);
    const person = await newUser(server);
    return { relation, person, tokens: await relation.logIn(person) };
  }

  test('takes our access tokens for what RFC 9068 says they are, and an ID token for nothing (N095)', async () => {
    const { relation, tokens } = await tokensOf();
    const { access_token, id_token = '' } = tokens;
    expect(await relation.validate(access_token)).toMatchObject({
      scope: 'openid email phone offline_access',
    });
    await expect(relation.validate(id_token)).rejects.toThrow();
  });

  test('learns that an access token has been taken back, and so does UserInfo', async () => {
    const { relation, person, tokens } = await tokensOf();
    await relation.revoke(tokens.access_token);
    expect(await relation.introspect(tokens.access_token)).toEqual({ active: false });
    await expect(relation.userInfo(tokens.access_token, person)).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  test('can tell the key of a token from the token', async () => {
    const keys = await oauth.generateKeyPair('ES256', { extractable: true });
    const { tokens } = await tokensOf(keys);
    const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y }));
    const payload = Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(payload).cnf).toEqual({ jkt: thumbprint.digest('base64url') });
  });
});

test('oauth4webapi, with a key for the client and a key for its tokens, gets no refresh token unasked', async () => {
  const { privateKey, registration } = await signingClient();
  const { clientId } = await register(server, registration);
  const keys = await oauth.generateKeyPair('ES256');
  const relation = new Relation(await discover(), clientId, oauth.PrivateKeyJwt(privateKey), keys);
  const person = await newUser(server);
  const tokens = await relation.logIn(person, 'openid email');
  expect(tokens).toMatchObject({ token_type: 'dpop' });
  expect(tokens.refresh_token).toBe(undefined);
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ email: person.email });
});
