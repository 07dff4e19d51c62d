import { describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Needs, type ProtectedRequest, protectResource } from '../../lib/client/protect.ts';
import { challengeOf, dpopProof, newKey } from '../support/fixtures/proofs.ts';

const BASE = 'https://login.example/cis';
const RESOURCE = 'https://api.example/notes';
const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/notes"';
const { privateKey, publicKey } = await generateKeyPair('RS256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256' }] };
const now = () => Math.floor(Date.now() / 1000);

type Claims = Readonly<Record<string, unknown>>;

const tokenOf = (claims: Claims = {}, expires: number = now() + 3600) =>
  new SignJWT({
    ...{ iss: `${BASE}/oidc`, aud: RESOURCE, sub: 'ann', tid: 'tenant', app_id: 'app' },
    ...{ scope: 'notes:read', auth_time: now() - 60, ...claims },
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'key' })
    .setExpirationTime(expires)
    .sign(privateKey);

const api = () =>
  protectResource({
    baseUrl: BASE,
    tenantId: 'tenant',
    appIds: ['app'],
    resource: RESOURCE,
    scopes: ['notes:read', 'notes:write'],
    fetch: async () => Response.json(jwks),
  });

const asking = (authorization?: string, more: Readonly<Record<string, string>> = {}): ProtectedRequest => ({
  method: 'GET',
  url: '/notes?page=2',
  headers: { ...(authorization === undefined ? {} : { authorization }), ...more },
});

test('its metadata say where tokens come from, at the path of RFC 9728 §3.1', () => {
  expect(api()).toMatchObject({
    metadataPath: '/.well-known/oauth-protected-resource/notes',
    metadata: {
      resource: RESOURCE,
      authorization_servers: [`${BASE}/oidc`],
      scopes_supported: ['notes:read', 'notes:write'],
      bearer_methods_supported: ['header'],
    },
  });
});

test('a good token gives its claims, to a request of Node and of fetch', async () => {
  const authorization = `Bearer ${await tokenOf()}`;
  const needs = { scopes: ['notes:read'], maxAge: 300 };
  const claims = { sub: 'ann', scope: 'notes:read' };
  expect(await api().check(asking(authorization), needs)).toMatchObject({ claims });
  const request = new Request('http://internal:8080/notes', { headers: { authorization } });
  expect(await api().check(request, needs)).toMatchObject({ claims });
});

describe('a refusal says what to do', () => {
  const bad = 'error="invalid_token"';
  const old = 'error="insufficient_user_authentication"';
  test.each<[string, () => Promise<string | undefined>, Needs, number, readonly string[]]>([
    ['no token', async () => undefined, { scopes: ['notes:read'] }, 401, ['scope="notes:read"']],
    ['no token of ours', async () => 'Basic YTpi', {}, 401, []],
    ['what is no token', async () => 'Bearer a.b.c', {}, 401, [bad]],
    ['a late one', async () => `Bearer ${await tokenOf({}, now() - 1)}`, {}, 401, [bad, 'has expired']],
    ['another audience', async () => `Bearer ${await tokenOf({ aud: 'https://x.example' })}`, {}, 401, [bad]],
    ['another tenant', async () => `Bearer ${await tokenOf({ tid: 'other' })}`, {}, 401, [bad]],
    ['another application', async () => `Bearer ${await tokenOf({ app_id: 'other' })}`, {}, 401, [bad]],
    [
      'a scope that lacks',
      async () => `Bearer ${await tokenOf()}`,
      { scopes: ['notes:read', 'notes:write'] },
      403,
      ['error="insufficient_scope"', 'scope="notes:read notes:write"', 'the token lacks notes:write'],
    ],
    ['one factor', async () => `Bearer ${await tokenOf()}`, { acr: 'mfa' }, 401, [old, 'acr_values="mfa"']],
    ['an old login', async () => `Bearer ${await tokenOf()}`, { maxAge: 30 }, 401, [old, 'max_age="30"']],
  ])('%s', async (_, authorization, needs, status, parts) => {
    const { refusal, claims } = await api().check(asking(await authorization()), needs);
    expect(claims).toBeUndefined();
    expect(refusal?.status).toBe(status);
    const challenge = refusal?.headers['www-authenticate'] ?? '';
    expect(challenge).toMatch(/^Bearer /);
    for (const part of [METADATA, ...parts]) expect(challenge).toContain(part);
    // RFC 6750 §3.1: who has not tried is told of no error.
    expect(challenge.includes('error=')).toBe(parts.some((part) => part.includes('error=')));
  });
});

describe('a token that is bound to a key', () => {
  const holder = newKey();
  const bound = async () => tokenOf({ cnf: { jkt: await calculateJwkThumbprint(holder.jwk as never) } });
  const proof = (token: string, claims: Claims = {}, key = holder) =>
    dpopProof(key, { htm: 'GET', htu: RESOURCE, iat: now(), ath: challengeOf(token), ...claims });

  test('is good with a proof, which counts once', async () => {
    const one = api();
    const token = await bound();
    const request = asking(`DPoP ${token}`, { dpop: proof(token) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => one.check(request)));
    expect(answers.filter(({ claims }) => claims)).toHaveLength(1);
  });

  test.each<[string, (token: string) => ProtectedRequest]>([
    ['as a bearer token', (token) => asking(`Bearer ${token}`, { dpop: proof(token) })],
    ['without a proof', (token) => asking(`DPoP ${token}`)],
    ['with a proof of another key', (token) => asking(`DPoP ${token}`, { dpop: proof(token, {}, newKey()) })],
    [
      'with a proof for another method',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, { htm: 'POST' }) }),
    ],
    [
      'with a proof for another address',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, { htu: BASE }) }),
    ],
    ['with an old proof', (token) => asking(`DPoP ${token}`, { dpop: proof(token, { iat: now() - 300 }) })],
    ['with a proof of another token', (token) => asking(`DPoP ${token}`, { dpop: proof('other') })],
  ])('is refused %s', async (_, request) => {
    const { refusal } = await api().check(request(await bound()));
    expect(refusal?.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('is none that no key is named in', async () => {
    const token = await tokenOf();
    expect((await api().check(asking(`DPoP ${token}`, { dpop: proof(token) }))).refusal?.status).toBe(401);
  });
});

test('keys that cannot be fetched are no fault of the token', async () => {
  const broken = protectResource({
    baseUrl: BASE,
    tenantId: 'tenant',
    appIds: ['app'],
    resource: RESOURCE,
    fetch: async () => new Response('', { status: 503 }),
  });
  await expect(broken.check(asking(`Bearer ${await tokenOf()}`))).rejects.toThrow('gave no keys');
});
