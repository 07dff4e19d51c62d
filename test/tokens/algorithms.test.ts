import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { CompactSign, SignJWT } from 'jose';
import type { PublicJwk } from '../../shared/ports/directory.ts';
import type { SigningKey } from '../../shared/ports/keys.ts';
import { listKeyUses } from '../../shared/tokens/jws.ts';
import { publicKeySet, verifyAccessToken, verifyIdTokenHint } from '../../shared/tokens/verify.ts';
import { encode } from '../support/fixtures/proofs.ts';
import { someSigningKey } from '../support/server/records.ts';

// Each key must verify only signatures of its own algorithm (RFC 8725 §3.1).

const ISSUER = 'https://login.example.com/cis/oidc';
const toJwk = (key: KeyObject) => key.export({ format: 'jwk' }) as PublicJwk;
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
const keys: readonly SigningKey[] = (['RS256', 'ES256'] as const).map((alg) =>
  someSigningKey({ alg, publicJwk: toJwk(pairs[alg].publicKey), state: 'current' }),
);
const uses = keys.flatMap(listKeyUses);
const findPrivateKey = ({ alg }: SigningKey) => pairs[alg === 'ES256' ? 'ES256' : 'RS256'].privateKey;

const claims = () => {
  const iat = Math.floor(Date.now() / 1000);
  const ids = { client_id: 'client', tid: 'tenant', jti: 'jti', app_id: 'app', sid: 'user.1' };
  return { ...ids, iss: ISSUER, sub: 'user', aud: ISSUER, iat, exp: iat + 60, auth_time: iat };
};

/** Signs an access token and an ID token hint. Returns for each of the two whether its verification succeeds. */
async function isTaken(header: { readonly alg: string; readonly kid: string }, key: KeyObject, known = keys) {
  const sign = (typ: string) =>
    new CompactSign(Buffer.from(JSON.stringify(claims()))).setProtectedHeader({ ...header, typ }).sign(key);
  const found = [
    await verifyAccessToken(await sign('at+jwt'), known, ISSUER),
    await verifyIdTokenHint(await sign('JWT'), known, ISSUER),
  ];
  return found.map((each) => each !== undefined);
}

test('N047 an access token is accepted only with the algorithm and key that its kid names', async () => {
  expect(uses.map(({ alg }) => alg)).toEqual(['RS256', 'PS256', 'ES256']);
  for (const { kid } of uses)
    for (const { alg, key, kid: own } of uses)
      expect([alg, kid, await isTaken({ alg, kid }, findPrivateKey(key))]).toEqual([
        alg,
        kid,
        [own === kid, own === kid],
      ]);
});

test('N047 an access token signed with RS384, RS512, PS384 or PS512 is rejected', async () => {
  for (const { kid, key } of uses)
    for (const alg of key.alg === 'ES256' ? [] : ['RS384', 'RS512', 'PS384', 'PS512'])
      expect([alg, await isTaken({ alg, kid }, findPrivateKey(key))]).toEqual([alg, [false, false]]);
});

test('an access token is rejected if no published key uses its signing algorithm', async () => {
  const [rsa, ec] = keys;
  if (!rsa || !ec) throw new Error('no keys');
  const [kid, pem] = [ec.kid, findPrivateKey(ec)];
  expect(await isTaken({ alg: 'ES256', kid }, pem, [rsa])).toEqual([false, false]);
  expect(await isTaken({ alg: 'ES256', kid: rsa.kid }, pem, [rsa])).toEqual([false, false]);
});

test('N047 an access token signed by HMAC with the public key as the secret is rejected', async () => {
  for (const { kid, key } of uses) {
    const { publicKey } = pairs[key.alg];
    const secrets = [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(publicKeySet(keys).keys.find((each) => each.kid === kid)),
    ];
    const signedPart = (alg: string) => `${encode({ alg, kid, typ: 'at+jwt' })}.${encode(claims())}`;
    const forged = secrets.map((secret) => {
      const mac = createHmac('sha256', secret).update(signedPart('HS256')).digest('base64url');
      return `${signedPart('HS256')}.${mac}`;
    });
    for (const token of [...forged, `${signedPart('none')}.`])
      expect(await verifyAccessToken(token, keys, ISSUER)).toBeUndefined();
  }
});

/** Signs an access token with the service's key and verifies the token. Returns the type of the caller, or undefined. */
async function detectTokenType(claims: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const all = { client_id: 'client', tid: 'tenant', jti: 'jti', app_id: 'app', auth_time: 1, ...claims };
  const token = await new SignJWT(all)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys[0]?.kid ?? '' })
    .setIssuer(ISSUER)
    .setAudience(ISSUER)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(pairs.RS256.privateKey);
  return (await verifyAccessToken(token, keys, ISSUER))?.kind;
}

test.each([
  ['a token whose subject is its client is a client token', { sub: 'client' }, 'client'],
  ['a token with a session is a user token', { sub: 'user', sid: 'user.1' }, 'user'],
  [
    'N018 a user token whose subject is a client ID is rejected',
    { sub: 'client', sid: 'client.1' },
    undefined,
  ],
  ['N018 a client token whose subject is a user ID is rejected', { sub: 'user' }, undefined],
])('the type of an access token depends on its claims: %s', async (_title, claims, kind) => {
  expect(await detectTokenType(claims)).toBe(kind);
});
