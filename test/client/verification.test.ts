import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { cacheToken } from '../../lib/client/client-token.ts';
import { createSender } from '../../lib/client/exchange.ts';
import { createVerifier } from '../../lib/client/verify.ts';
import { verifyWebhook } from '../../lib/client/webhook.ts';
import { webhookSignature } from '../../shared/domain/sending/webhook.ts';

describe('key fetching and supported tokens of the token verifier', () => {
  const expected = { baseUrl: 'https://login.example/cis', tenantId: 'tenant', appIds: ['app'] };

  async function keysAndToken(claims: Readonly<Record<string, unknown>>) {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256' }] };
    const issuer = `${expected.baseUrl}/oidc`;
    const token = await new SignJWT({
      iss: issuer,
      aud: issuer,
      sub: 'ann',
      tid: 'tenant',
      app_id: 'app',
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'key' })
      .setExpirationTime('1h')
      .sign(privateKey);
    return { jwks, token };
  }

  test('a token verifier fetches the public keys only once', async () => {
    const { jwks, token } = await keysAndToken({});
    const asked: string[] = [];
    const verify = createVerifier({
      ...expected,
      fetch: async (input) => {
        asked.push(String(input));
        return new Response(JSON.stringify(jwks));
      },
    });
    expect(await verify(token)).toMatchObject({ sub: 'ann' });
    expect(await verify(token)).toMatchObject({ sub: 'ann' });
    expect(asked).toEqual(['https://login.example/cis/oidc/jwks']);
  });

  test('a token verifier without DPoP support rejects DPoP-bound tokens', async () => {
    const { jwks, token } = await keysAndToken({ cnf: { jkt: 'thumbprint' } });
    const verify = createVerifier({ ...expected, fetch: async () => new Response(JSON.stringify(jwks)) });
    const refused = { name: 'VerificationError' };
    await expect(verify(token)).rejects.toMatchObject({
      ...refused,
      message: 'the token is bound to a key, and DPoP proofs are not checked here',
    });
    for (const nothing of ['', 'a.b.c', undefined as unknown as string])
      await expect(verify(nothing)).rejects.toMatchObject(refused);
  });

  test.each([
    ['that the server does not return', async () => new Response('', { status: 503 })],
    ['in an invalid format', async () => new Response('{}')],
    ['at an unreachable URL', () => Promise.reject(new TypeError('fetch failed'))],
  ])(
    'if a token verifier fetches keys %s, it throws an Error and not a VerificationError',
    async (_title, fetch) => {
      const { token } = await keysAndToken({});
      const refusal = await createVerifier({ ...expected, fetch })(token).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Error);
      expect(refusal).not.toMatchObject({ name: 'VerificationError' });
      expect(String(refusal)).toContain('https://login.example/cis/oidc/jwks returned no keys: ');
    },
  );
});

describe('token verifier that accepts two issuers', () => {
  const ours = { iss: 'https://login.example/cis/oidc', aud: 'https://login.example/cis/oidc' };
  const theirs = { iss: 'https://old.example/', aud: 'the shop' };
  const former = { issuer: theirs.iss, audience: theirs.aud, jwksUri: 'https://old.example/keys' };

  async function verifierAndSigner() {
    const [own, old] = await Promise.all(['RS256', 'ES384'].map((alg) => generateKeyPair(alg)));
    if (!own || !old) throw new Error('no keys');
    const createKeySet = async (key: typeof own, alg: string) =>
      JSON.stringify({ keys: [{ ...(await exportJWK(key.publicKey)), kid: 'key', alg }] });
    const sets = { own: await createKeySet(own, 'RS256'), old: await createKeySet(old, 'ES384') };
    const verify = createVerifier({
      ...{ baseUrl: 'https://login.example/cis', tenantId: 'tenant', appIds: ['app'], former },
      fetch: async (input) => new Response(String(input) === former.jwksUri ? sets.old : sets.own),
    });
    const sign = (by: 'own' | 'old', claims: Readonly<Record<string, unknown>>, typ = 'at+jwt') =>
      new SignJWT({ sub: 'ann', tid: 'tenant', app_id: 'app', ...claims })
        .setProtectedHeader({ alg: by === 'own' ? 'RS256' : 'ES384', typ, kid: 'key' })
        .setExpirationTime('1h')
        .sign((by === 'own' ? own : old).privateKey);
    return { verify, sign };
  }

  test('a token verifier for two issuers marks tokens from the previous issuer', async () => {
    const { verify, sign } = await verifierAndSigner();
    expect(await verify(await sign('own', ours))).toMatchObject({ sub: 'ann', app_id: 'app' });
    expect(await verify(await sign('own', ours))).not.toHaveProperty('former');
    expect(await verify(await sign('old', { ...theirs, sub: 'old-ann' }, 'JWT'))).toMatchObject({
      ...{ sub: 'old-ann', former: true },
    });
  });

  test.each<[string, 'own' | 'old', object]>([
    ['the current issuer and a signature of the previous issuer', 'old', ours],
    ['the previous issuer and a signature of the current issuer', 'own', theirs],
    ['the previous issuer and the audience of the current issuer', 'old', { ...theirs, aud: ours.aud }],
    ['the previous issuer and no subject', 'old', { ...theirs, sub: undefined }],
    ['a third issuer', 'old', { ...theirs, iss: 'https://third.example' }],
    ['the current issuer and another tenant', 'own', { ...ours, tid: 'other', former: true }],
  ])(
    'a token verifier for two issuers rejects a token with the issuer claim of %s',
    async (_title, by, claims) => {
      const { verify, sign } = await verifierAndSigner();
      await expect(verify(await sign(by, { ...claims }))).rejects.toMatchObject({
        name: 'VerificationError',
      });
    },
  );

  test('a token verifier for two issuers rejects malformed tokens', async () => {
    const { verify } = await verifierAndSigner();
    for (const nothing of ['', 'a.b.c'])
      await expect(verify(nothing)).rejects.toMatchObject({ name: 'VerificationError' });
    const options = { baseUrl: 'https://login.example/cis', tenantId: 'tenant', appIds: ['app'] };
    expect(() => createVerifier({ ...options, former: { ...former, audience: '' } })).toThrow(TypeError);
  });
});

describe('verifying webhook signatures', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"login.failed","timestamp":"2026-11-22T12:00:00.000Z","data":{"name":"Zoë"}}';
  const now = () => Math.floor(Date.now() / 1000);
  function posted(change: { at?: number; signature?: string; body?: string; secret?: string } = {}) {
    const { at = now() } = change;
    const signature = change.signature ?? `v1,AAAA v1a,no ${webhookSignature(secret, 'msg_1', at, body)}`;
    const headers = {
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signature },
    };
    return { body, secret, headers, ...change };
  }

  test('webhook verification accepts a webhook that the service signed', async () => {
    const event = { id: 'msg_1', type: 'login.failed', data: { name: 'Zoë' } };
    expect(await verifyWebhook(posted())).toMatchObject(event);
    expect(await verifyWebhook({ ...posted(), headers: new Headers(posted().headers) })).toMatchObject(event);
  });

  test.each([
    [
      'a body that differs from the signed body',
      () => posted({ body: `${body} ` }),
      'the signature is wrong',
    ],
    [
      'a signature by another secret',
      () => posted({ secret: `whsec_${btoa('x'.repeat(32))}` }),
      'the signature is wrong',
    ],
    ['a signature that is not valid base64', () => posted({ signature: 'v1,%' }), 'the signature is wrong'],
    ['an old timestamp', () => posted({ at: now() - 310 }), 'the timestamp is more than five minutes off'],
    ['a future timestamp', () => posted({ at: now() + 310 }), 'the timestamp is more than five minutes off'],
    ['an invalid timestamp', () => posted({ at: Number.NaN }), 'the timestamp is more than five minutes off'],
    ['no signature', () => ({ ...posted(), headers: {} }), 'a header of the signature is missing'],
  ])('webhook verification rejects %s', async (_title, request, message) => {
    await expect(verifyWebhook(request())).rejects.toMatchObject({ name: 'VerificationError', message });
  });
});

test('in a Cloudflare worker, one API call does not wait for the token request of another call', async () => {
  const waiting: ((token: string) => void)[] = [];
  const kept = cacheToken(async () => {
    const token = await new Promise<string>((resolve) => waiting.push(resolve));
    return { access_token: token, expires_in: 3600 };
  });
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: 'Cloudflare-Workers' },
    configurable: true,
  });
  try {
    const [first, second] = [kept.get(), kept.get()];
    waiting[1]?.('second');
    expect(await second).toBe('second');
    waiting[0]?.('first');
    expect(await first).toBe('first');
  } finally {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
  }
});

test('if a call discards an outdated client token, the typed client keeps a newer token in its cache', async () => {
  let number = 0;
  const kept = cacheToken(async () => ({ access_token: `token-${++number}`, expires_in: 3600 }));
  expect(await kept.get()).toBe('token-1');
  kept.drop('token-1');
  expect(await kept.get()).toBe('token-2');
  kept.drop('token-1');
  expect(await kept.get()).toBe('token-2');
});

test('the typed client does not follow redirects', async () => {
  const seen: string[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const answer = await createSender({ baseUrl })('/v1/users', { method: 'GET' });
    expect([answer.status, seen]).toEqual([302, ['/v1/users']]);
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});
