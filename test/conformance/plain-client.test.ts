import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { get as httpGet, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { useTestServer } from '../support/server/use-test-server.ts';
import { newUser, REDIRECT_URI, register } from './support.ts';

/**
 * The code flow as a reader of OAuth 2.0 and OpenID Connect writes it without a library: sockets, hashes and
 * JSON. It has no code in common with the service, nor with the libraries that the service is tried with.
 */

const server = useTestServer({ rateLimits: 'off' });

type Json = Record<string, unknown>;

function getJson(address: string, headers: Record<string, string> = {}): Promise<Json> {
  return new Promise((resolve, reject) => {
    httpGet(address, { headers }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(JSON.parse(body) as Json);
        else reject(new Error(`${response.statusCode}: ${body}`));
      }, reject);
    }).on('error', reject);
  });
}

function postForm(address: string, fields: Json, authorization: string): Promise<Json> {
  const body = Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  const headers = {
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(address, { method: 'POST', headers }, (response) => {
      text(response).then((answer) => resolve(JSON.parse(answer) as Json), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;

/** OIDC Core §3.1.3.7, by hand. */
async function checkIdToken(
  idToken: string,
  { jwks_uri, issuer }: Json,
  clientId: string,
  nonce: string,
): Promise<Json> {
  const [header, payload, signature] = idToken.split('.');
  const { alg, kid } = decoded(header);
  expect(alg).toBe('RS256');
  const { keys } = (await getJson(String(jwks_uri))) as { keys: Json[] };
  const key = createPublicKey({ key: keys.find((each) => each.kid === kid) ?? {}, format: 'jwk' });
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    key,
    Buffer.from(signature ?? '', 'base64url'),
  );
  expect(signed).toBe(true);
  const claims = decoded(payload);
  const now = Math.floor(Date.now() / 1000);
  expect(claims).toMatchObject({ iss: issuer, aud: clientId, nonce });
  expect(Number(claims.exp)).toBeGreaterThan(now);
  expect(Number(claims.iat)).toBeLessThanOrEqual(now);
  return claims;
}

test('a client of nothing but sockets and hashes logs a user in by the code flow', async () => {
  const { clientId, clientSecret } = await register(server);
  const { issuer } = server.environment;
  const metadata = await getJson(`${issuer}/.well-known/openid-configuration`);
  expect(metadata.issuer).toBe(issuer);

  const [state, nonce, verifier] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [
    string,
    string,
    string,
  ];
  const query = Object.entries({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'openid email',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const person = await newUser(server);
  const arrival = await person.authorize(new URL(`${metadata.authorization_endpoint}?${query.join('&')}`));

  const answer = Object.fromEntries(arrival.searchParams);
  expect(answer).toMatchObject({ state, iss: issuer });
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const grant = {
    grant_type: 'authorization_code',
    code: answer.code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  };
  const tokens = await postForm(String(metadata.token_endpoint), grant, basic);
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  const claims = await checkIdToken(String(tokens.id_token), metadata, clientId, nonce);
  const info = await getJson(String(metadata.userinfo_endpoint), {
    authorization: `Bearer ${tokens.access_token}`,
  });
  expect(info).toMatchObject({ sub: claims.sub, email: person.email, email_verified: true });
  expect(claims.sub).toBe(person.userId);

  // The code works once.
  expect(await postForm(String(metadata.token_endpoint), grant, basic)).toMatchObject({
    error: 'invalid_grant',
  });
});
