import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { CALLER_ALGORITHMS } from '../../shared/domain/basis/key-algorithms.ts';
import { DPOP_NONCE_WINDOW_SECONDS } from '../../shared/domain/basis/limits.ts';
import { replayGuard } from '../../shared/dynamo/flows/replay-guard.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import {
  type DpopExpectation,
  type DpopProof,
  dpopProofOf,
  spendDpopProof,
  verifyDpopProof,
} from '../../shared/tokens/dpop.ts';
import { dpopProof, encode, jwkOf, newKey, signed } from '../support/fixtures/proofs.ts';
import { atOnce } from '../support/server/at-once.ts';
import { someClient, T } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

const settings = { baseUrl: 'https://login.example.com/cis' };
const HTU = `${settings.baseUrl}/oidc/token`;
const key = newKey();
const rsa = newKey('RS256');
const good = { htm: 'POST', htu: HTU, iat: T, jti: 'jti' };

function expectation(dpop: string | undefined, more: Partial<DpopExpectation> = {}): DpopExpectation {
  return { request: { method: 'POST', path: '/oidc/token', headers: { dpop } }, settings, now: T, ...more };
}

const verify = (dpop: string | undefined, more?: Partial<DpopExpectation>) =>
  verifyDpopProof(expectation(dpop, more));

async function expectRefused(dpop: string | undefined, reason: RegExp, more?: Partial<DpopExpectation>) {
  await expect(verify(dpop, more)).rejects.toMatchObject({
    key: 'invalid_dpop_proof',
    message: expect.stringMatching(reason),
  });
}

describe('N050 a proof', () => {
  test.each([...CALLER_ALGORITHMS])('is signed by %s with the key in its header', async (alg) => {
    const own = newKey(alg);
    expect(await verify(dpopProof(own, good))).toEqual({
      jkt: await calculateJwkThumbprint(own.jwk as JWK),
      jti: 'jti',
      iat: T,
      expiresAt: T + 61,
    });
  });

  const hmac = (secret: string, input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url');
  const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const under = (header: object) => `${encode(header)}.${encode(good)}`;
  const hs256 = under({ alg: 'HS256', typ: 'dpop+jwt', jwk: rsa.jwk });
  const octJwk = under({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: encode('secret') } });
  const [header, , signature] = dpopProof(key, good).split('.');

  const forgeries: Readonly<Record<string, string>> = {
    'without a type': dpopProof(key, good, { typ: undefined }),
    'of the type JWT': dpopProof(key, good, { typ: 'JWT' }),
    'of the type of an access token': dpopProof(key, good, { typ: 'at+jwt' }),
    'of a type that is no text': dpopProof(key, good, { typ: 7 }),
    'N047 with alg none': `${under({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })}.AA`,
    'N047 with the public key as HMAC secret': `${hs256}.${hmac(pem, hs256)}`,
    'N047 with a symmetric key in its header': `${octJwk}.${hmac('secret', octJwk)}`,
    'N047 with an algorithm of another type of key': dpopProof(key, good, { alg: 'RS256' }),
    'with an unknown algorithm': dpopProof(key, good, { alg: 'ES256K' }),
    'without a key': dpopProof(key, good, { jwk: undefined }),
    'with a key ID alone': dpopProof(key, good, { jwk: undefined, kid: 'one' }),
    'with a key that is text': dpopProof(key, good, { jwk: 'key' }),
    'with a list of keys': dpopProof(key, good, { jwk: [key.jwk] }),
    'with another key': dpopProof(key, good, { jwk: newKey().jwk }),
    'with the private key': dpopProof(key, good, { jwk: jwkOf(key.privateKey) }),
    'with the private RSA key': dpopProof(rsa, good, { jwk: jwkOf(rsa.privateKey) }),
    'with an empty private member': dpopProof(key, good, { jwk: { ...key.jwk, d: '' } }),
    'with a factor of the RSA key': dpopProof(rsa, good, { jwk: { ...rsa.jwk, p: 'AQAB' } }),
    'with a point off the curve': dpopProof(key, good, { jwk: { ...key.jwk, y: key.jwk.x } }),
    'with RSA of 1024 bits': dpopProof(newKey('RS256', 1024), good),
    'with a key for encryption': dpopProof(key, good, { jwk: { ...key.jwk, use: 'enc' } }),
    'with an unknown critical header': dpopProof(key, good, { crit: ['x'], x: 1 }),
    'with an unencoded payload': dpopProof(key, good, { crit: ['b64'], b64: false }),
    'with another payload': `${header}.${encode({ ...good, jti: 'other' })}.${signature}`,
    'with half a signature': dpopProof(key, good).slice(0, -40),
    'with a payload that is a list': signed(key, { typ: 'dpop+jwt', jwk: key.jwk }, [good]),
    'with a payload that is no JSON': signed(key, { typ: 'dpop+jwt', jwk: key.jwk }, 'payload'),
    'that has expired': dpopProof(key, { ...good, exp: T - 61 }),
    'that is not valid yet': dpopProof(key, { ...good, nbf: T + 61 }),
    'with an iat that is text': dpopProof(key, { ...good, iat: String(T) }),
  };
  test.each(Object.entries(forgeries))('%s is refused', async (_title, forged) => {
    await expectRefused(forged, /^DPoP: must be of the type dpop\+jwt, signed by the public key/);
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['a word', 'proof'],
    ['a JWE', 'a.b.c.d.e'],
    ['a detached payload', `${header}..${signature}`],
    ['an unsigned JWT', `${encode({ alg: 'none', typ: 'dpop+jwt' })}.${encode(good)}.`],
    ['blanks around it', ` ${dpopProof(key, good)}`],
    ['padding', `${dpopProof(key, good)}=`],
    ['too much', dpopProof(key, { ...good, more: 'x'.repeat(9000) })],
    ['N053 two proofs', `${dpopProof(key, good)},${dpopProof(key, good)}`],
    ['N053 two proofs, spaced', `${dpopProof(key, good)}, ${dpopProof(key, good)}`],
    ['N053 one proof twice', Array(2).fill(dpopProof(key, good)).join(',')],
  ])('%s is no proof', async (_title, dpop) => {
    await expectRefused(dpop, /^DPoP: must be exactly one signed JWT/);
  });

  test('is required where one is verified', async () => {
    await expectRefused(undefined, /^DPoP: a proof is required/);
  });

  test.each([undefined, '', 7, null, 'j'.repeat(257)])('with the jti %j is refused', async (jti) => {
    await expectRefused(dpopProof(key, { ...good, jti }), /^DPoP: jti must be/);
  });

  test('may have a jti of 256 characters', async () => {
    const jti = 'j'.repeat(256);
    expect(await verify(dpopProof(key, { ...good, jti }))).toMatchObject({ jti });
  });

  test('property: whatever the header holds, it is refused as a bad proof', async () => {
    const seed = Number(process.env.SEED ?? Date.now());
    process.stdout.write(`fast-check seed ${seed}\n`);
    const part = fc.oneof(fc.string(), fc.json().map(encode), fc.object().map(encode));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const error: unknown = await verify(parts.join('.')).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ServiceError);
        expect(error).toMatchObject({ key: 'invalid_dpop_proof' });
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('N051 a proof is for one method and one address', () => {
  test.each(['GET', 'post', 'POST ', '', undefined, 7])('not for the method %j', async (htm) => {
    await expectRefused(dpopProof(key, { ...good, htm }), /^DPoP: htm/);
  });

  test.each([
    HTU,
    'https://login.example.com/oidc/token',
    `${HTU}?a=1`,
    `${HTU}#here`,
    'HTTPS://LOGIN.example.com/cis/oidc/token',
    'https://login.example.com:443/cis/oidc/token',
    'https://login.example.com/cis/./other/../oidc/token',
    'https://login.example.com/cis/oidc/%74oken',
    'https://login.example.com/cis/oidc%2Ftoken',
  ])('%s is the address', async (htu) => {
    expect(await verify(dpopProof(key, { ...good, htu }))).toMatchObject({ jti: 'jti' });
  });

  test.each([
    'http://login.example.com/cis/oidc/token',
    'https://login.example.com:8443/cis/oidc/token',
    'https://example.com/cis/oidc/token',
    'https://login.example.com.evil.example/cis/oidc/token',
    'https://evil.example/https://login.example.com/cis/oidc/token',
    'https://user@login.example.com/cis/oidc/token',
    'https://login.example.com@evil.example/cis/oidc/token',
    'https://login.example.com\\cis\\oidc\\token',
    'https://login.example.com/cis/oidc/token/',
    'https://login.example.com/cis/oidc//token',
    'https://login.example.com/cis/OIDC/token',
    'https://login.example.com/cis/cis/oidc/token',
    'https://login.example.com/cis/oidc/%2574oken',
    'https://login.example.com/cis/oidc/tok%en',
    'https://login.example.com/cis/oidc/me',
    'https://login.example.com/',
    ' https://login.example.com/cis/oidc/token',
    'https://login.example.com/cis/oidc/to\nken',
    '//login.example.com/cis/oidc/token',
    '/cis/oidc/token',
    'wss://login.example.com/cis/oidc/token',
    '',
    undefined,
    7,
    [HTU],
  ])('%j is another one', async (htu) => {
    await expectRefused(dpopProof(key, { ...good, htu }), /^DPoP: htu/);
  });

  test('what is decoded in the path may be encoded in the address', async () => {
    const path = '/v1/users/email/ann+1@example.com';
    const request = (htu: string) => ({
      request: { method: 'POST', path, headers: { dpop: dpopProof(key, { ...good, htu }) } },
    });
    const users = `${settings.baseUrl}/v1/users/email`;
    for (const name of ['ann+1@example.com', 'ann%2B1%40example.com'])
      expect(await verify('', request(`${users}/${name}`))).toMatchObject({ jti: 'jti' });
  });

  test('the Host of the request does not matter', async () => {
    const dpop = dpopProof(key, { ...good, htu: 'https://evil.example/cis/oidc/token' });
    const headers = { dpop, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const request = { method: 'POST', path: '/oidc/token', headers };
    await expectRefused(dpop, /^DPoP: htu/, { request });
  });
});

describe('N052 a proof is young', () => {
  test.each([-60, 0, 60])('%i seconds from now is good', async (offset) => {
    const iat = T + offset;
    expect(await verify(dpopProof(key, { ...good, iat }))).toMatchObject({ iat, expiresAt: iat + 61 });
  });

  test.each([-61, 61, -1e9, 1e9])(
    '%i seconds from now is not, and the answer names the limit',
    async (offset) => {
      await expectRefused(dpopProof(key, { ...good, iat: T + offset }), /^DPoP: iat is more than 60 seconds/);
    },
  );

  test('without an iat the age is unknown', async () => {
    await expectRefused(dpopProof(key, { ...good, iat: undefined }), /^DPoP: iat is required/);
  });
});

describe('N056 a proof beside an access token names its hash', () => {
  const accessToken = 'header.payload.signature';
  const ath = createHash('sha256').update(accessToken).digest('base64url');

  test('the right one', async () => {
    expect(await verify(dpopProof(key, { ...good, ath }), { accessToken })).toMatchObject({ jti: 'jti' });
  });

  test.each([undefined, '', `${ath}=`, ath.toLowerCase(), accessToken, 7])('not %j', async (wrong) => {
    await expectRefused(dpopProof(key, { ...good, ath: wrong }), /^DPoP: ath/, { accessToken });
  });
});

/** Answers like KMS, and counts. */
function macs() {
  const asked: string[] = [];
  const mac = async (message: string) => {
    asked.push(message);
    return createHmac('sha256', 'key').update(message).digest('base64url');
  };
  return { asked, nonces: { nonceMac: { mac } } };
}

describe('N057 nonces', () => {
  const W = DPOP_NONCE_WINDOW_SECONDS;
  const start = Math.floor(T / W) * W;

  async function nonceFrom(nonces: DpopExpectation['nonces'], now: number): Promise<string> {
    const error: unknown = await verify(dpopProof(key, { ...good, iat: now }), {
      now,
      ...(nonces && { nonces }),
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ key: 'use_dpop_nonce' });
    return (error as ServiceError).detail.headers?.['dpop-nonce'] ?? '';
  }

  test('a proof without one gets the nonce to use, and is good with it, whatever its clock says', async () => {
    const { nonces } = macs();
    const nonce = await nonceFrom(nonces, T);
    expect(nonce).toMatch(/^[\w-]{43}$/);
    for (const iat of [T, 0, T + 86_400])
      expect(await verify(dpopProof(key, { ...good, iat, nonce }), { nonces })).toMatchObject({ iat });
  });

  test('a nonce is good in its window and the next one, in every container', async () => {
    const nonce = await nonceFrom(macs().nonces, start);
    const proof = dpopProof(key, { ...good, nonce });
    for (const now of [start, start + W - 1, start + W, start + 2 * W - 1]) {
      const { expiresAt } = await verify(proof, { now, nonces: macs().nonces });
      expect(expiresAt).toBeGreaterThanOrEqual(start + 2 * W);
    }
    for (const now of [start - 1, start + 2 * W])
      await expect(verify(proof, { now, nonces: macs().nonces })).rejects.toMatchObject({
        key: 'use_dpop_nonce',
      });
  });

  test.each(['', 'nonce', 7, null, ['nonce']])('%j is no nonce of the service', async (nonce) => {
    await expect(verify(dpopProof(key, { ...good, nonce }), { nonces: macs().nonces })).rejects.toMatchObject(
      { key: 'use_dpop_nonce' },
    );
  });

  test('a container asks for each window once, and again after a failure', async () => {
    const { asked, nonces } = macs();
    const nonce = await nonceFrom(nonces, start);
    for (const now of [start, start + 1, start + W, start + W + 1])
      await verify(dpopProof(key, { ...good, nonce }), { now, nonces });
    expect(asked).toHaveLength(2);

    let fails = true;
    const nonceMac = { mac: async () => (fails ? Promise.reject(new Error('KMS is away')) : 'nonce') };
    await expect(verify(dpopProof(key, { ...good, nonce }), { nonces: { nonceMac } })).rejects.toThrow(
      'away',
    );
    fails = false;
    expect(await nonceFrom({ nonceMac }, T)).toBe('nonce');
  });

  test('a bad proof is not given a nonce', async () => {
    await expectRefused(dpopProof(key, { ...good, htm: 'GET' }), /^DPoP: htm/, { nonces: macs().nonces });
  });

  test('an unrequested nonce does not matter', async () => {
    expect(await verify(dpopProof(key, { ...good, nonce: 'x' }))).toMatchObject({ jti: 'jti' });
  });
});

describe('N059 what a client is set to', () => {
  const { nonces: ports } = macs();
  const none = expectation(undefined);

  test('a client may do without a proof, unless it is bound to have one', async () => {
    expect(await dpopProofOf(ports, someClient(), none)).toBeUndefined();
    await expect(dpopProofOf(ports, someClient({ dpopBound: true }), none)).rejects.toMatchObject({
      key: 'system_invalid_input',
      message: expect.stringMatching(/^DPoP: a proof is required/),
    });
  });

  test('a proof that is there must be good, for any client', async () => {
    const bad = expectation(dpopProof(key, { ...good, htm: 'GET' }));
    await expect(dpopProofOf(ports, someClient(), bad)).rejects.toMatchObject({ key: 'invalid_dpop_proof' });
    expect(await dpopProofOf(ports, someClient(), expectation(dpopProof(key, good)))).toMatchObject({
      jti: 'jti',
    });
  });

  test('nonces are for the clients that are set to use them', async () => {
    const proof = expectation(dpopProof(key, good));
    await expect(dpopProofOf(ports, someClient({ dpopNonce: true }), proof)).rejects.toMatchObject({
      key: 'use_dpop_nonce',
    });
  });
});

describeStore('N052 a proof counts once', (store) => {
  const ports = () => ({ replays: replayGuard(store().table('flows')) });
  const fresh = async (): Promise<DpopProof> => verify(dpopProof(key, { ...good, jti: crypto.randomUUID() }));
  const again = { key: 'invalid_dpop_proof', message: 'DPoP: jti was used before' };

  test('of 30 requests at once with one proof, one passes', async () => {
    const proof = await fresh();
    const outcomes = await atOnce(30, () =>
      spendDpopProof(ports(), proof, T).then(
        () => 'passed',
        (error: ServiceError) => error.key,
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['passed', 'invalid_dpop_proof']));
  });

  test('it is remembered for as long as it would be accepted', async () => {
    const proof = await fresh();
    await spendDpopProof(ports(), proof, T - 60);
    await expect(spendDpopProof(ports(), proof, T + 60)).rejects.toMatchObject(again);
  });

  test('another key may use the same jti', async () => {
    const proof = await fresh();
    await spendDpopProof(ports(), proof, T);
    await spendDpopProof(ports(), { ...proof, jkt: 'another' }, T);
  });
});
