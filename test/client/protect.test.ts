import { validateHeaderValue } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Needs, type ProtectedRequest, protectResource } from '../../lib/client/protect.ts';
import { computeChallenge, dpopProof, encode, newKey } from '../support/fixtures/proofs.ts';
import { runs, SEED } from '../support/tools/full-run.ts';

const BASE = 'https://login.example/cis';
const RESOURCE = 'https://api.example/notes';
const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource/notes"';
const { privateKey, publicKey } = await generateKeyPair('RS256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256' }] };
const now = () => Math.floor(Date.now() / 1000);

type Claims = Readonly<Record<string, unknown>>;

const signToken = (claims: Claims = {}, expires: number = now() + 3600) =>
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

test('the protected resource metadata names the authorization server (RFC 9728 §3.1)', () => {
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

test('a protected API reads the claims of a valid token from a Node.js request or a fetch request', async () => {
  const authorization = `Bearer ${await signToken()}`;
  const needs = { scopes: ['notes:read'], maxAge: 300 };
  const claims = { sub: 'ann', scope: 'notes:read' };
  expect(await api().check(asking(authorization), needs)).toMatchObject({ claims });
  const request = new Request('http://internal:8080/notes', { headers: { authorization } });
  expect(await api().check(request, needs)).toMatchObject({ claims });
});

describe('WWW-Authenticate challenges that a protected API returns', () => {
  const bad = 'error="invalid_token"';
  const old = 'error="insufficient_user_authentication"';
  test.each<[string, () => Promise<string | undefined>, Needs, number, readonly string[]]>([
    [
      'a request without a token',
      async () => undefined,
      { scopes: ['notes:read'] },
      401,
      ['scope="notes:read"'],
    ],
    ['a request with another authentication scheme', async () => 'Basic YTpi', {}, 401, []],
    ['a malformed token', async () => 'Bearer a.b.c', {}, 401, [bad]],
    [
      'an expired token',
      async () => `Bearer ${await signToken({}, now() - 1)}`,
      {},
      401,
      [bad, 'has expired'],
    ],
    [
      'a token for another audience',
      async () => `Bearer ${await signToken({ aud: 'https://x.example' })}`,
      {},
      401,
      [bad],
    ],
    ['a token of another tenant', async () => `Bearer ${await signToken({ tid: 'other' })}`, {}, 401, [bad]],
    [
      'a token of another application',
      async () => `Bearer ${await signToken({ app_id: 'other' })}`,
      {},
      401,
      [bad],
    ],
    [
      'a token without a required scope',
      async () => `Bearer ${await signToken()}`,
      { scopes: ['notes:read', 'notes:write'] },
      403,
      ['error="insufficient_scope"', 'scope="notes:read notes:write"', 'the token lacks notes:write'],
    ],
    [
      'a token of a login with one factor',
      async () => `Bearer ${await signToken()}`,
      { acr: 'mfa' },
      401,
      [old, 'acr_values="mfa"'],
    ],
    [
      'a token whose login is too old',
      async () => `Bearer ${await signToken()}`,
      { maxAge: 30 },
      401,
      [old, 'max_age="30"'],
    ],
  ])(
    'a protected API responds with a WWW-Authenticate challenge to %s',
    async (_, authorization, needs, status, parts) => {
      const { refusal, claims } = await api().check(asking(await authorization()), needs);
      expect(claims).toBeUndefined();
      expect(refusal?.status).toBe(status);
      const challenge = refusal?.headers['www-authenticate'] ?? '';
      expect(challenge).toMatch(/^Bearer /);
      for (const part of [METADATA, ...parts]) expect(challenge).toContain(part);
      // RFC 6750 §3.1: a request without a token gets no error code.
      expect(challenge.includes('error=')).toBe(parts.some((part) => part.includes('error=')));
    },
  );
});

describe('DPoP-bound tokens at a protected API', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const holder = newKey();
  const bound = async () => signToken({ cnf: { jkt: await calculateJwkThumbprint(holder.jwk as never) } });
  const proof = (token: string, claims: Claims = {}, key = holder) =>
    dpopProof(key, { htm: 'GET', htu: RESOURCE, iat: now(), ath: computeChallenge(token), ...claims });

  test('a protected API accepts each DPoP proof only once', async () => {
    const one = api();
    const token = await bound();
    const request = asking(`DPoP ${token}`, { dpop: proof(token) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => one.check(request)));
    expect(answers.filter(({ claims }) => claims)).toHaveLength(1);
  });

  test('a DPoP proof with a time in the future cannot be used again until it expires', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
    const notes = api();
    const token = await bound();
    const dated = asking(`DPoP ${token}`, { dpop: proof(token, { iat: now() + 59 }) });
    expect((await notes.check(dated)).claims).toBeDefined();
    for (let seconds = 1; seconds <= 185; seconds += 4) {
      jest.advanceTimersByTime(4000);
      expect((await notes.check(dated)).claims).toBeUndefined();
    }
  });

  test.each<[string, (token: string) => ProtectedRequest]>([
    ['that is sent as a bearer token', (token) => asking(`Bearer ${token}`, { dpop: proof(token) })],
    ['without a DPoP proof', (token) => asking(`DPoP ${token}`)],
    [
      'with a DPoP proof of another key',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, {}, newKey()) }),
    ],
    [
      'with a DPoP proof for another HTTP method',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, { htm: 'POST' }) }),
    ],
    [
      'with a DPoP proof for another URL',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, { htu: BASE }) }),
    ],
    [
      'with an expired DPoP proof',
      (token) => asking(`DPoP ${token}`, { dpop: proof(token, { iat: now() - 300 }) }),
    ],
    ['with a DPoP proof for another token', (token) => asking(`DPoP ${token}`, { dpop: proof('other') })],
  ])('a protected API rejects a DPoP-bound token %s', async (_, request) => {
    const { refusal } = await api().check(request(await bound()));
    expect(refusal?.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('a protected API rejects an unbound token that is sent with the DPoP scheme', async () => {
    const token = await signToken();
    expect((await api().check(asking(`DPoP ${token}`, { dpop: proof(token) }))).refusal?.status).toBe(401);
  });
});

describe('WWW-Authenticate challenges that contain text from a caller', () => {
  /** WWW-Authenticate syntax (RFC 6750 §3): quoted parameters of printable ASCII without quotes or backslashes. */
  const CHALLENGE =
    /^(?:Bearer|DPoP) \w+="[\x20\x21\x23-\x5b\x5d-\x7e]*"(?:, \w+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*$/;
  const DESCRIPTION_MAX = 300;
  const holder = newKey();
  const boundToken = calculateJwkThumbprint(holder.jwk as never).then((jkt) => signToken({ cnf: { jkt } }));
  const one = api();
  const options = { seed: SEED, numRuns: runs(2000) };

  const texts = fc.oneof(
    fc.constantFrom(
      'x\r\nSet-Cookie: a=b',
      '"',
      '\\',
      '\u0000',
      '\ud800',
      '\u2028',
      '\u{1f600}',
      'x'.repeat(5000),
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  );
  const values = fc.oneof(
    texts,
    texts.map((text) => [text]),
    texts.map((text) => ({ [text]: text })),
    fc.constant({ toString: 1, valueOf: 1 }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const arbitraryMembers = (...names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, values])), { requiredKeys: [] });

  async function expectHarmless(request: ProtectedRequest): Promise<void> {
    const { refusal } = await one.check(request);
    expect(refusal?.status).toBe(401);
    const challenge = refusal?.headers['www-authenticate'] ?? '';
    expect(challenge).toMatch(CHALLENGE);
    expect(() => validateHeaderValue('www-authenticate', challenge)).not.toThrow();
    expect(refusal?.body.error_description.length).toBeLessThanOrEqual(DESCRIPTION_MAX);
  }

  test('no text in an unsigned token can break the syntax of the WWW-Authenticate challenge', async () => {
    const header = arbitraryMembers('alg', 'crit', 'typ', 'kid', 'b64', 'jwk');
    const payload = arbitraryMembers('iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'tid', 'app_id', 'cnf');
    await fc.assert(
      fc.asyncProperty(header, payload, async (head, claims) => {
        const signed = `${encode({ alg: 'RS256', kid: 'key', ...head })}.${encode(claims)}`;
        await expectHarmless(asking(`Bearer ${signed}.AAAA`));
      }),
      options,
    );
  });

  test('no text in a DPoP proof can break the syntax of the WWW-Authenticate challenge', async () => {
    const token = await boundToken;
    const header = arbitraryMembers('typ', 'crit', 'jwk', 'kid', 'b64');
    const payload = arbitraryMembers('htm', 'htu', 'ath', 'iat', 'exp', 'nbf', 'jti', 'nonce');
    const wrong = { ath: 'of another token' };
    await fc.assert(
      fc.asyncProperty(header, payload, async (head, claims) => {
        const good = { htm: 'GET', htu: RESOURCE, iat: now(), ...wrong };
        const proof = dpopProof(holder, { ...good, ...claims }, head);
        await expectHarmless(asking(`DPoP ${token}`, { dpop: proof }));
      }),
      options,
    );
  });

  test.each(['//', '//[', 'http://[::1', '*', '\\\\', '?'])(
    'a protected API rejects a request for the invalid target %s without throwing an error',
    async (url) => {
      const { refusal } = await one.check({ ...asking('Bearer a.b.c'), url });
      expect(refusal?.status).toBe(401);
    },
  );
});

test('if a protected API cannot fetch the key set, it throws an error instead of rejecting the token', async () => {
  const broken = protectResource({
    baseUrl: BASE,
    tenantId: 'tenant',
    appIds: ['app'],
    resource: RESOURCE,
    fetch: async () => new Response('', { status: 503 }),
  });
  await expect(broken.check(asking(`Bearer ${await signToken()}`))).rejects.toThrow('returned no keys');
});
